// Kernels of fast paths: softmax and its logarithm, over the last axis.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

Tensor softmax(const Tensor& x);                               // e^(x-max) / Σ e^(x-max)
Tensor softmax_backward(const Tensor& grad, const Tensor& y);  // y ⊙ (g - Σ g ⊙ y)

Tensor log_softmax(const Tensor& x);                               // x - max - log Σ e^(x-max)
Tensor log_softmax_backward(const Tensor& grad, const Tensor& y);  // g - e^y Σ g

}  // namespace gradus::kernels
