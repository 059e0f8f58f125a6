// NumPy's file format for one array (.npy): numpy.save and numpy.load on the other side.
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace gradus::io {

// The array in a file, in C or Fortran order: float32, float64, float16 and int64 as they are; int32, int16, int8, uint32, uint16,
// uint8 and bool widened to i64. IoError, with the path and the fix, for any other dtype, for more axes than a tensor has, and
// for a file whose header is malformed or does not fit its length.
Tensor read_npy(const std::string& path);

// Replaces the file in one step, or leaves it as it was (IoError).
void write_npy(const std::string& path, const Tensor& x);

}  // namespace gradus::io
