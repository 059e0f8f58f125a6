// Kernels of a fast path: a gated value.
// y = f(a) ⊙ b, f one of the activations
#pragma once

#include <utility>

#include "nn/activation/activation_kernel.h"

namespace gradus::kernels {

Tensor gate(const char* op, const Curve& f, const Tensor& a, const Tensor& b);
// dL/da = g ⊙ b ⊙ f'(a)      dL/db = g ⊙ f(a)
std::pair<Tensor, Tensor> gate_backward(const char* op, const Curve& f, const Tensor& grad, const Tensor& a, const Tensor& b);

}  // namespace gradus::kernels
