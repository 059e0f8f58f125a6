// Losses between probabilities.
#pragma once

#include "nn/loss/reduction.h"

namespace gradus::nn {

// Binary cross-entropy of σ(x) against y in [0, 1], from the scores x themselves:
//   ℓ = -y log σ(x) - (1 - y) log(1 - σ(x)) = y log(1 + e^-x) + (1 - y) log(1 + e^x)      dℓ/dx = σ(x) - y,   dℓ/dy = -x
// No term is negative, so none cancels: a small loss, and its gradient where y is 0 or 1, keep all their digits, as
// log(1 + e^x) - x y does not. At x = ±∞ they are the limits. Same shapes (ShapeError).
Tensor bce_with_logits(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// The divergence KL(p ‖ q) = Σ p (log p - log q) of each distribution along the last axis (Kullback and Leibler, 1951),
// from log q, the model's, and log p, the target's, both [..., V]; where p is 0 it counts 0.
//   dℓ/d(log q) = -p,   dℓ/d(log p) = p (log p - log q + 1)
// The mean is over distributions, not over values. Same shapes (ShapeError).
Tensor kl_divergence(const Tensor& log_q, const Tensor& log_p, Reduction reduction = Reduction::mean);

}  // namespace gradus::nn
