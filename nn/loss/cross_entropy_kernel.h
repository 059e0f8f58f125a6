// Kernel of a fast path: cross-entropy of logits [N, V] with targets [N]; a negative target is not counted.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct CrossEntropyTerms {
  double z_loss = 0;
  double label_smoothing = 0;
  Tensor class_weights = {};  // [V] in the logits' dtype; undefined: all 1
};
struct CrossEntropy {
  Tensor losses;  // (1 - ε) w_y (logZ - z_y) + ε/V Σ w_j (logZ - z_j) + c w_y logZ², one a row; 0 where not counted
  Tensor log_sums;  // logZ of each row
};
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyTerms& terms);
// dlosses/dlogits = ((1 - ε) w_y + ε W/V + 2 c w_y logZ) softmax - ε/V w - (1 - ε) w_y onehot, times grad [N]
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& targets, const Tensor& log_sums,
                              const CrossEntropyTerms& terms);

}  // namespace gradus::kernels
