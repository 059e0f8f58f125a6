// Exercise 9, swiglu.
#pragma once

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions swiglu(Tensor (*value)(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3),
                 Tensors (*gate_gradient)(const Tensor& g, const Tensor& a, const Tensor& b),
                 int64_t (*width)(int64_t d, int64_t multiple));

}  // namespace gradus::exercises::set
