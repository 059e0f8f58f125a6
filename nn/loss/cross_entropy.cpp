#include "nn/loss/cross_entropy.h"

#include <cmath>

namespace gradus::nn {
namespace {

void check_targets(const char* op, const Tensor& scores, const Tensor& targets, int64_t ignore_index) {
  check<ShapeError>(scores.rank() > 0 && targets.shape() == scores.shape().slice(0, scores.rank() - 1),
                    "{}: logits {} need targets of the same shape without the last axis, got {}", op, scores.shape(),
                    targets.shape());
  check<ShapeError>(scores.size(-1) > 0, "{}: needs at least one class along the last axis, got shape {}", op,
                    scores.shape());
  check<DTypeError>(targets.dtype() == DType::i64, "{}: targets must be class ids (i64), got {}", op,
                    targets.dtype());
  const int64_t *target = targets.data<int64_t>(), classes = scores.size(-1);
  for (int64_t i = 0; i < targets.numel(); ++i) {
    check<ValueError>(target[i] == ignore_index || (target[i] >= 0 && target[i] < classes),
                      "{}: target {} is out of range; expected 0 … {} or ignore_index {}", op, target[i], classes - 1,
                      ignore_index);
  }
}

void check_options(const Tensor& logits, const CrossEntropyOptions& o) {
  check<ValueError>(std::isfinite(o.z_loss), "cross_entropy: z_loss must be finite, got {}", o.z_loss);
  check<ValueError>(o.label_smoothing >= 0 && o.label_smoothing <= 1,
                    "cross_entropy: label_smoothing must be in [0, 1], got {}", o.label_smoothing);
  if (!o.class_weights.defined()) return;
  check<ShapeError>(o.class_weights.shape() == Shape{logits.size(-1)},
                    "cross_entropy: logits {} need class_weights [{}], got {}", logits.shape(), logits.size(-1),
                    o.class_weights.shape());
  check<ValueError>(!o.class_weights.requires_grad(), "cross_entropy: class_weights get no gradient; use detach()");
  for (double weight : to_vector(o.class_weights)) {
    check<ValueError>(weight >= 0, "cross_entropy: class_weights must not be negative, got {}", weight);
  }
}

// Σ w_y over counted targets
double total_weight(const Tensor& class_ids, const Tensor& counted, const Tensor& class_weights) {
  if (!class_weights.defined()) return sum(counted).item();
  const Tensor ids = where(counted, class_ids, scalar_like(class_ids, 0));
  return sum(take(cast(class_weights, DType::f64), ids) * counted).item();
}

}  // namespace

Tensor formula::token_losses(const Tensor& logits, const Tensor& targets, const Tensor& class_weights,
                             const TokenLossTerms& terms) {
  const Tensor counted = targets >= 0;
  const Tensor y = where(counted, targets, scalar_like(targets, 0));
  const Tensor all = ones({logits.size(-1)}, logits.dtype());
  const Tensor w = class_weights.defined() ? class_weights : all;
  const Tensor w_y = take(w, y);
  // #region loss-cross-entropy
  const Tensor log_z = logsumexp(logits, -1);
  const Tensor z_y = squeeze(gather(logits, -1, unsqueeze(y, -1)), -1);
  Tensor loss = w_y * (log_z - z_y);
  // #endregion loss-cross-entropy
  // #region loss-label-smoothing
  const double smoothing = terms.label_smoothing;
  if (smoothing > 0) loss = (1 - smoothing) * loss + smoothing * mean(w * (unsqueeze(log_z, -1) - logits), -1);
  // #endregion loss-label-smoothing
  // #region loss-z
  loss = loss + terms.z_loss * w_y * square(log_z);
  // #endregion loss-z
  return where(counted, loss, scalar_like(loss, 0));
}

namespace {

Tensor token_losses(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  const TokenLossTerms terms{options.label_smoothing, options.z_loss};
  const Tensor weights = options.class_weights.defined() ? cast(options.class_weights, logits.dtype()) : Tensor();
  return fused("cross_entropy", {logits, targets, weights},
               [terms](const Tensors& in) { return formula::token_losses(in[0], in[1], in[2], terms); },
               fast::token_losses(terms));
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  check_targets("cross_entropy", logits, targets, options.ignore_index);
  check_options(logits, options);
  if (logits.dtype() == DType::f16) {
    return in_f32({logits}, [&](const Tensors& in) { return cross_entropy(in[0], targets, options); });
  }
  const Tensor counted = ne(targets, options.ignore_index);
  const Tensor class_ids = where(counted, targets, scalar_like(targets, -1));
  const Tensor losses = token_losses(reshape(logits, {-1, logits.size(-1)}), flatten(class_ids), options);
  if (options.reduction == Reduction::none) return reshape(losses, targets.shape());
  if (options.reduction == Reduction::sum) return sum(losses);
  const double total = total_weight(targets, counted, options.class_weights);
  check<ValueError>(sum(counted).item() > 0, "cross_entropy: no target is counted; all equal ignore_index {}",
                    options.ignore_index);
  check<ValueError>(total > 0, "cross_entropy: the weights of the counted targets sum to {}", total);
  return sum(losses) / total;
}

// #region loss-nll
Tensor nll(const Tensor& log_probabilities, const Tensor& targets, const NllOptions& options) {
  check_targets("nll", log_probabilities, targets, options.ignore_index);
  const Tensor counted = ne(targets, options.ignore_index);
  const Tensor y = where(counted, targets, scalar_like(targets, 0));
  const Tensor log_p = squeeze(gather(log_probabilities, -1, unsqueeze(y, -1)), -1);
  const Tensor losses = where(counted, -log_p, scalar_like(log_p, 0));
  if (options.reduction != Reduction::mean) return reduce(losses, options.reduction);
  const double count = sum(counted).item();
  check<ValueError>(count > 0, "nll: no target is counted; all equal ignore_index {}", options.ignore_index);
  return in_f32({losses}, [=](const Tensors& in) { return sum(in[0]) / count; });
}
// #endregion loss-nll

double accuracy(const Tensor& logits, const Tensor& targets, int64_t ignore_index) {
  check_targets("accuracy", logits, targets, ignore_index);
  const Tensor counted = targets != ignore_index;
  return sum((argmax(logits) == targets) * counted).item() / sum(counted).item();
}

}  // namespace gradus::nn
