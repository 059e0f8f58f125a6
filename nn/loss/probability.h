// Losses between probabilities: binary cross-entropy and the divergence of two distributions.
#pragma once

#include "nn/loss/reduction.h"

namespace gradus::nn {

struct BceOptions {
  Tensor weight = {};      // w of each loss; broadcasts to x, finite, not negative, no gradient; undefined: all 1
  Tensor pos_weight = {};  // v of each positive target, likewise: above 1 it makes up for positives that are rare
  Reduction reduction = Reduction::mean;
};

// Binary cross-entropy of σ(x) against y in [0, 1], from the scores x themselves:
//   ℓ = -y log σ(x) - (1 - y) log(1 - σ(x)) = y log(1 + e^-x) + (1 - y) log(1 + e^x)
//   dℓ/dx = σ(x) - y      dℓ/dy = -x
// With weights it is w (v y log(1 + e^-x) + (1 - y) log(1 + e^x)), and the mean is still over all losses.
// Neither term is negative, so they do not cancel, as log(1 + e^x) - x y would. At x = ±∞ value and gradient are the limits.
// x and y of one shape (ShapeError); ValueError for a y more than a hundredth outside of [0, 1], and for a bad weight.
Tensor bce_with_logits(const Tensor& x, const Tensor& y, const BceOptions& options = {});
inline Tensor bce_with_logits(const Tensor& x, const Tensor& y, Reduction reduction) {
  return bce_with_logits(x, y, {.reduction = reduction});
}

// The divergence of the model's distribution q from the target's p (Kullback and Leibler, 1951):
//   ℓ = KL(p ‖ q) = Σ p (log p - log q)
//   dℓ/d(log q) = -p      dℓ/d(log p) = p (log p - log q + 1)
// Logarithms [..., V] of one shape (ShapeError), a distribution along the last axis; p = 0 adds 0. The mean is over distributions.
Tensor kl_divergence(const Tensor& log_q, const Tensor& log_p, Reduction reduction = Reduction::mean);

}  // namespace gradus::nn
