// Losses between scores and class ids: cross-entropy, also against probabilities, the focal loss, the negative log-likelihood.
// And the accuracy.
#pragma once

#include "core/autograd/fused.h"
#include "nn/loss/reduction.h"

namespace gradus::nn {

struct CrossEntropyOptions {
  int64_t ignore_index = -100;  // a target of this id is not counted
  double z_loss = 0;            // c: adds c (logZ)², which keeps the scores from drifting (Chowdhery et al., 2022)
  double label_smoothing = 0;   // ε: this share of the target is spread evenly over all classes (Szegedy et al., 2016)
  Tensor class_weights = {};    // w [V], finite, not negative, no gradient; undefined: all 1
  Reduction reduction = Reduction::mean;
};

namespace formula {
// The loss logZ - z_y of each row of logits [..., V], whose targets [...] are all classes.
Tensor token_losses(const Tensor& logits, const Tensor& targets);
}  // namespace formula
namespace fast {  // cross_entropy_kernel.cpp; 0 where the target is -1
std::unique_ptr<FastPath> token_losses();
}

// The loss ℓ of one row of scores z is -log softmax(z)_y, y the target. With logZ = log Σ e^z:
//
//   ℓ = logZ - z_y      dℓ/dz = softmax(z) - onehot(y)
//
// or 0 if y is ignore_index. The mean is over the counted targets. With w, ε and c of the options:
//
//   ℓ = (1 - ε) w_y (logZ - z_y) + ε/V Σ_j w_j (logZ - z_j) + c w_y (logZ)²
//   dℓ/dz = ((1 - ε) w_y + ε/V Σ w + 2c w_y logZ) softmax(z) - ε/V w - (1 - ε) w_y onehot(y)
//
// and the mean is Σ ℓ / Σ w_y over the counted targets.
// logits [..., V], targets [...] i64 (ShapeError, DTypeError). ValueError for a target or an option out of range, or for a
// mean over no counted target.
//
// Targets may also be probabilities p [..., V], of the logits' floating dtype, as another model or mixed labels give them:
//
//   ℓ = Σ_j w_j p'_j (logZ - z_j) + c (Σ_j w_j p_j) (logZ)²      with p' = (1 - ε) p + ε/V
//   dℓ/dz = (Σ w p' + 2c (Σ w p) logZ) softmax(z) - w p'
//
// Every row is counted, and the mean is Σ ℓ / count, also with weights: PyTorch's. p gets a gradient if it requires one.
// ValueError unless each row sums to 1 and none of it is below 0, to a hundredth. Smoothing, z-loss and probabilities are made of
// ops, and take several times as long as class ids alone.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options = {});

struct FocalOptions {
  double gamma = 2;             // γ: with 2, a row with p = 0.9 counts 0.01 times as much as by cross-entropy
  int64_t ignore_index = -100;  // as of CrossEntropyOptions
  Tensor class_weights = {};    // α [V], as the w of CrossEntropyOptions
  Reduction reduction = Reduction::mean;
};

// Cross-entropy that weighs easy rows less (Lin et al., 2017). With p = softmax(z)_y, y the target:
//
//   ℓ = -α_y (1 - p)^γ log p
//   dℓ/dz = α_y (1 - p)^γ (1 - γ p log p / (1 - p)) (softmax(z) - onehot(y))
//
// The mean is Σ ℓ / Σ α_y, so that γ = 0 is cross_entropy. 1 - p is the sum of the other classes' probabilities, exact near 0.
// Two classes of scores 0 and x are the binary form; the paper's α, 0.25 with γ = 2, makes class_weights {1 - α, α}. Shapes
// and errors as for cross_entropy; also ShapeError for a single class, and ValueError unless γ is finite and not negative.
Tensor focal(const Tensor& logits, const Tensor& targets, const FocalOptions& options = {});

struct NllOptions {
  int64_t ignore_index = -100;  // as of CrossEntropyOptions
  Tensor class_weights = {};    // w [V], likewise
  Reduction reduction = Reduction::mean;
};

// The negative log-likelihood of the target y:
//   ℓ = -w_y log p_y      dℓ/d(log p) = -w_y onehot(y)
// The mean is Σ ℓ / Σ w_y over the counted targets.
// log_probabilities [..., V], as log_softmax gives; targets [...]. Errors as for cross_entropy.
Tensor nll(const Tensor& log_probabilities, const Tensor& targets, const NllOptions& options = {});

// The share, in [0, 1], of the counted targets whose logit is the largest of its row; a row with a NaN has none. NaN if no
// target is counted. Shapes and errors as for cross_entropy.
double accuracy(const Tensor& logits, const Tensor& targets, int64_t ignore_index = -100);

}  // namespace gradus::nn
