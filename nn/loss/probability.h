// Losses between probabilities: binary cross-entropy and the divergence of two distributions.
#pragma once

#include "nn/loss/reduction.h"

namespace gradus::nn {

// Binary cross-entropy of σ(x) against y in [0, 1], from the scores x themselves:
//   ℓ = -y log σ(x) - (1 - y) log(1 - σ(x)) = y log(1 + e^-x) + (1 - y) log(1 + e^x)
//   dℓ/dx = σ(x) - y      dℓ/dy = -x
// Neither term is negative, so they do not cancel, as log(1 + e^x) - x y would. At x = ±∞ value and gradient are the limits.
// x and y of one shape (ShapeError); ValueError for a y more than a hundredth outside of [0, 1].
Tensor bce_with_logits(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// The divergence of the model's distribution q from the target's p (Kullback and Leibler, 1951):
//   ℓ = KL(p ‖ q) = Σ p (log p - log q)
//   dℓ/d(log q) = -p      dℓ/d(log p) = p (log p - log q + 1)
// Logarithms [..., V] of one shape (ShapeError), a distribution along the last axis; p = 0 adds 0. The mean is over distributions.
Tensor kl_divergence(const Tensor& log_q, const Tensor& log_p, Reduction reduction = Reduction::mean);

}  // namespace gradus::nn
