// Kernel of a fast path: gated SiLU.
// Y = SiLU(a) ⊙ b = a σ(a) ⊙ b
#pragma once

#include <utility>

#include "core/tensor/tensor.h"

namespace gradus::kernels {

Tensor silu_gate(const Tensor& a, const Tensor& b);
std::pair<Tensor, Tensor> silu_gate_backward(const Tensor& grad, const Tensor& a, const Tensor& b);

}  // namespace gradus::kernels
