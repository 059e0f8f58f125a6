// Softmax and its logarithm, over the last axis, and SoLU, whose gate it is.
#pragma once

#include "core/autograd/fused.h"
#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);
Tensor solu(const Tensor& x);
}  // namespace formula
namespace fast {  // softmax_kernel.cpp
std::unique_ptr<FastPath> softmax();
std::unique_ptr<FastPath> log_softmax();
std::unique_ptr<FastPath> solu();
}  // namespace fast

// y = e^(x - max x) / Σ e^(x - max x)      dL/dx = y ⊙ (g - Σ g ⊙ y), with g = dL/dy
// x [..., n], n > 0 (ShapeError). Subtracting the maximum changes nothing, softmax(x) = softmax(x - c), and keeps e^x
// from overflowing. A row of -∞ gives NaN: there is nothing to choose from.
Tensor softmax(const Tensor& x);

// y = log softmax(x) = x - max x - log Σ e^(x - max x)      dL/dx = g - e^y Σ g, with g = dL/dy
// Finite where softmax has rounded to 0. Shapes, errors and a row of -∞ as for softmax.
Tensor log_softmax(const Tensor& x);

// y = x ⊙ p, p = softmax(x)      dL/dx = g ⊙ p + p ⊙ (g ⊙ x - Σ g ⊙ y), with g = dL/dy
// The largest of a row nearly as it is, the others nearly 0. Shapes and errors as for softmax; -∞ gives NaN.
// convention-solu-norm: the paper's activation is LN(x ⊙ p), over the hidden values. Here the layer norm is the feed-forward
// layer's `inner_norm`, and this is what stands before it. (Elhage et al., 2022)
Tensor solu(const Tensor& x);

namespace act {

// nn::softmax, nn::log_softmax and nn::solu as values, for their layers. They are not elementwise.
extern const Activation softmax, log_softmax;
extern const Activation solu;

}  // namespace act

}  // namespace gradus::nn
