// The safetensors format: named tensors in one file, as other frameworks read and write them.
//
//   8 bytes      N, the length of the header, little-endian
//   N bytes      JSON, padded with spaces so that the data is aligned to 8 bytes:
//                {"__metadata__": {"key": "value"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//   the rest     the tensors' bytes, row-major and little-endian, without gaps; offsets count from here
#pragma once

#include <map>
#include <string>

#include "core/tensor/tensor.h"

namespace gradus::io {

// What such a file holds: tensors by name, and texts by key.
struct SafeTensors {
  std::map<std::string, Tensor> tensors = {};
  std::map<std::string, std::string> metadata = {};
};

// What a file holds: F32, F64, F16 and I64 as they are; I32, I16, I8, U32, U16, U8 and BOOL widened to i64, BF16 to f32. Nothing
// in the file is trusted: IoError, with the path and the tensor, for any other dtype and whatever does not fit together.
SafeTensors read_safetensors(const std::string& path);

// Replaces the file in one step, or leaves it as it was. IoError when it cannot be written, or when a tensor is
// undefined, is named "__metadata__", or a name or value is not UTF-8, and for more than 200,000 of them.
void write_safetensors(const std::string& path, const SafeTensors& contents);

}  // namespace gradus::io
