// How a file may hold the numbers of a tensor: one table for all formats, so that all read the same.
#pragma once

#include <string>
#include <string_view>

#include "core/io/file.h"
#include "core/tensor/tensor.h"

namespace gradus::io {

struct Encoding {
  const char* safetensors;  // what it is called there …
  const char* npy;          // … and there; null where NumPy has no such dtype
  std::size_t bytes;        // of one element in the file
  DType dtype;              // in memory
  // Where the two differ:
  void (*widen)(const std::string& raw, Tensor& y) = nullptr;
};

using NameOfEncoding = const char* Encoding::*;  // &Encoding::safetensors or &Encoding::npy

// The encoding of this name; null if there is none.
const Encoding* find_encoding(NameOfEncoding format, std::string_view name);
// How a dtype is written: as it is.
const Encoding& encoding_of(DType dtype);
// The tensor of this shape whose bytes come next in the file.
Tensor read_tensor(InputFile& file, const Shape& shape, const Encoding& encoding);
// The names that can be read, for errors: "F32, F64, …".
std::string names_of_encodings(NameOfEncoding format);

}  // namespace gradus::io
