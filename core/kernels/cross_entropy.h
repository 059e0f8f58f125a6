// Kernel of a fast path: cross-entropy.
// Logits [N, V], targets [N]; a negative target is not counted
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct CrossEntropy {
  Tensor losses;    // logZ - z_target + z_loss · logZ², one a row; 0 where not counted
  Tensor log_sums;  // logZ of each row
};
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets, double z_loss);
// dlosses/dlogits = (1 + 2 z_loss logZ) softmax - onehot, times grad [N]
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& targets, const Tensor& log_sums,
                              double z_loss);

}  // namespace gradus::kernels
