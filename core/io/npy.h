// NumPy's file format for one array (.npy): numpy.save and numpy.load on the other side.
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace gradus::io {

// The array in a file: float32, float64 or int64, in C or Fortran order. IoError, with the path and the fix, for any other
// dtype and for a file whose header is malformed or does not fit its length.
Tensor read_npy(const std::string& path);

// Writes x, of f32, f64 or i64 (DTypeError for f16). Replaces the file in one step, or leaves it as it was (IoError).
void write_npy(const std::string& path, const Tensor& x);

}  // namespace gradus::io
