// What clipping and LAMB measure.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

// Σ x² in one pass and in f64; the same bits for any number of threads. DTypeError unless f32 or f64.
double sum_of_squares(const Tensor& x);

}  // namespace gradus::kernels
