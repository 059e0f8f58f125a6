// Softmax and its logarithm, over the last axis.
#pragma once

#include "core/autograd/fused.h"
#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);
}  // namespace formula
namespace fast {  // softmax_kernel.cpp
std::unique_ptr<FastPath> softmax();
std::unique_ptr<FastPath> log_softmax();
}  // namespace fast

// y = e^(x - max x) / Σ e^(x - max x)      dL/dx = y ⊙ (g - Σ g ⊙ y), with g = dL/dy
// x [..., n], n > 0 (ShapeError). Subtracting the maximum changes nothing, softmax(x) = softmax(x - c), and keeps e^x
// from overflowing. A row of -∞ gives NaN: there is nothing to choose from.
Tensor softmax(const Tensor& x);

// y = log softmax(x) = x - max x - log Σ e^(x - max x)      dL/dx = g - e^y Σ g, with g = dL/dy
// Finite where softmax has rounded to 0. Shapes, errors and a row of -∞ as for softmax.
Tensor log_softmax(const Tensor& x);

namespace act {

// nn::softmax and nn::log_softmax as values, for their layers. They are not elementwise.
extern const Activation softmax, log_softmax;

}  // namespace act

}  // namespace gradus::nn
