// Kernel of a fast path: softmax.
// Over the last axis
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

Tensor softmax(const Tensor& x);                                  // e^(x-max) / Σ e^(x-max)
Tensor softmax_backward(const Tensor& grad, const Tensor& y);     // y ⊙ (g - Σ g ⊙ y)

}  // namespace gradus::kernels
