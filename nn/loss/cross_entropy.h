// Cross-entropy of scores against class ids, with class weights, label smoothing and the z-loss; the focal loss, which
// turns it to the hard rows; the negative log-likelihood, which is what is left of it when the scores are
// log-probabilities already; and the accuracy.
#pragma once

#include "core/autograd/fused.h"
#include "nn/loss/reduction.h"

namespace gradus::nn {

struct CrossEntropyOptions {
  int64_t ignore_index = -100;  // targets that are not counted
  double z_loss = 0;            // c: adds c (logZ)², which keeps the scores from drifting (Chowdhery et al., 2022)
  double label_smoothing = 0;   // ε: so much of the target is spread evenly over all classes (Szegedy et al., 2016)
  Tensor class_weights = {};    // w [V], not negative, no gradient; undefined: all 1
  Reduction reduction = Reduction::mean;
};

struct TokenLossTerms {
  double label_smoothing = 0, z_loss = 0;
};
namespace formula {
// One loss per row: logits [N, V], targets [N]; 0 where the target is negative. class_weights [V] or undefined.
Tensor token_losses(const Tensor& logits, const Tensor& targets, const Tensor& class_weights, const TokenLossTerms& terms);
}  // namespace formula
namespace fast {  // cross_entropy_kernel.cpp
std::unique_ptr<FastPath> token_losses(const TokenLossTerms& terms);
}  // namespace fast

// With logZ = log Σ e^z and y the target, the loss of one row is
//
//   ℓ = (1 - ε) w_y (logZ - z_y) + ε/V Σ_j w_j (logZ - z_j) + c w_y (logZ)²
//   dℓ/dz = ((1 - ε) w_y + ε/V Σ w + 2c w_y logZ) softmax(z) - ε/V w - (1 - ε) w_y onehot(y)
//
// and 0 where y is ignore_index. The mean is Σ ℓ / Σ w_y over counted targets; with neither weights, smoothing nor z-loss
// this is L = mean of logZ - z_y, dL/dz = (softmax(z) - onehot(y)) / count. One pass each way; no probability is stored.
// logits [..., V], targets [...] i64 (ShapeError, DTypeError); ValueError for a target or an option out of range, or if the
// mean is asked for and none is counted.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options = {});

struct FocalOptions {
  double gamma = 2;           // γ: a row with p = 0.9 counts 0.01 times as much as by cross-entropy
  int64_t ignore_index = -100;
  Tensor class_weights = {};  // α [V], as the w of cross_entropy
  Reduction reduction = Reduction::mean;
};

// Cross-entropy that cares less for what is right already (Lin et al., 2017). With p = softmax(z)_y:
//
//   ℓ = -α_y (1 - p)^γ log p
//   dℓ/dz = α_y (1 - p)^γ (1 - γ p log p / (1 - p)) (softmax(z) - onehot(y))
//
// γ = 0 is cross_entropy, the mean included: Σ ℓ / Σ α_y. The paper divides by the number of boxes with an object
// instead, others by that of all rows. 1 - p is the sum of the other classes' probabilities, so that it is exact near 0,
// and its power e^(γ log(1 - p)), whose derivative has no pole there when γ < 1.
//
// Of two classes with the scores 0 and x this is the binary form, with σ(x) for p where y = 1 and 1 - σ(x) where y = 0;
// the paper's α is then {1 - α, α}, 0.25 with its γ = 2. Shapes and errors as for cross_entropy, and ShapeError for a
// single class.
Tensor focal(const Tensor& logits, const Tensor& targets, const FocalOptions& options = {});

struct NllOptions {
  int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;  // over counted targets
};

// ℓ = -log p_y      dℓ/d(log p) = -onehot(y)
// Log-probabilities [..., V], as log_softmax gives, targets [...]; errors as for cross_entropy.
Tensor nll(const Tensor& log_probabilities, const Tensor& targets, const NllOptions& options = {});

// The share, 0 … 1, of counted targets whose logit is the largest of its row; NaN if none is counted. Shapes and errors
// as for cross_entropy.
double accuracy(const Tensor& logits, const Tensor& targets, int64_t ignore_index = -100);

}  // namespace gradus::nn
