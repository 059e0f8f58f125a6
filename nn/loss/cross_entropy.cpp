#include "nn/loss/cross_entropy.h"

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/activation/softmax.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

// The score of each row's target: x [..., V] to [...].
Tensor of_class(const Tensor& x, const Tensor& targets) { return squeeze(gather(x, -1, unsqueeze(targets, -1)), -1); }

}  // namespace

// #region loss-cross-entropy
// y = log Σ e^z - z[target]      dL/dz = dL/dy ⊙ (softmax(z) - [j = target])
Tensor formula::token_losses(const Tensor& logits, const Tensor& targets) {
  const Tensor z = logits - max(logits.detach(), -1, true);  // a shift changes no probability
  const Tensor log_sum = logsumexp(z, -1), z_target = of_class(z, targets);
  return log_sum - z_target;
}
// #endregion loss-cross-entropy

namespace {

// How to get targets [...] for logits [..., V] from others that are usual.
std::string advice(const Shape& logits, const Shape& targets) {
  const int rank = logits.rank();
  if (targets == logits.slice(0, rank - 1).concat({1})) return "; use squeeze(targets, -1)";
  if (targets == logits) return "; if they are one-hot, use argmax(targets)";
  if (rank < 3 || targets != logits.slice(0, 1).concat(logits.slice(2, rank))) return "";
  if (rank == 3) return "; the classes come last: use transpose(logits, 1, 2)";
  std::string order = "0";
  for (int axis = 2; axis < rank; ++axis) order += fmt::format(", {}", axis);
  return fmt::format("; the classes come last: use permute(logits, {{{}, 1}})", order);
}

void check_targets(const Tensor& scores, const Tensor& targets, int64_t ignore_index, OpName op = {}) {
  check_defined({{"logits", scores}, {"targets", targets}}, op);
  check<DTypeError>(is_floating(scores.dtype()) || !is_floating(targets.dtype()),
                    "{}: the logits are {} and the targets {}; are the two swapped?", op, scores.dtype(), targets.dtype());
  check_inputs({{"logits", scores}}, op);
  check<ShapeError>(scores.rank() > 0, "{}: needs logits [..., V], got shape []", op);
  const Shape expected = scores.shape().slice(0, scores.rank() - 1);
  if (targets.shape() != expected) {
    throw ShapeError(fmt::format("{}: logits {} need targets {}, a class id for each row, got {}{}", op, scores.shape(), expected,
                                 targets.shape(), advice(scores.shape(), targets.shape())));
  }
  check<ShapeError>(scores.size(-1) > 0, "{}: needs at least one class along the last axis, got shape {}", op, scores.shape());
  check<DTypeError>(targets.dtype() == DType::i64, "{}: targets must be class ids (i64), got {}; use cast(targets, DType::i64)", op,
                    targets.dtype());
  const int64_t *target = targets.data<int64_t>(), classes = scores.size(-1);
  for (int64_t i = 0; i < targets.numel(); ++i) {
    check<ValueError>(target[i] == ignore_index || (target[i] >= 0 && target[i] < classes),
                      "{}: target {} is out of range; expected 0 … {} or ignore_index {}", op, target[i], classes - 1, ignore_index);
  }
}

void check_class_weights(const Tensor& logits, const Tensor& weights, OpName op = {}) {
  if (!weights.defined()) return;
  check<ShapeError>(weights.shape() == Shape{logits.size(-1)}, "{}: logits {} need class_weights [{}], got {}", op, logits.shape(),
                    logits.size(-1), weights.shape());
  check<ValueError>(!weights.requires_grad(), "{}: class_weights get no gradient; use detach()", op);
  for (double weight : to_vector(weights)) check_range("class_weights", weight, range::not_negative, op);
}

// Are the targets probabilities of each class?
bool are_probabilities(const Tensor& logits, const Tensor& targets) {
  return logits.defined() && targets.defined() && is_floating(logits.dtype()) && is_floating(targets.dtype()) && logits.rank() > 0 &&
         targets.shape() == logits.shape();
}

void check_probabilities(const Tensor& logits, const Tensor& p, OpName op = {}) {
  constexpr double room = 0.01;
  check_inputs({{"targets", p}, {"logits", logits}}, op);
  check<ShapeError>(p.size(-1) > 0, "{}: needs at least one class along the last axis, got shape {}", op, p.shape());
  if (p.numel() == 0) return;
  const NoGrad off;
  const Tensor wide = p.dtype() == DType::f16 ? cast(p, DType::f32) : p, sums = sum(wide, -1);
  const double least = min(wide).item(), low = min(sums).item(), high = max(sums).item();
  check<ValueError>(least >= -room, "{}: a target probability must not be negative, got {}", op, least);
  check<ValueError>(low >= 1 - room && high <= 1 + room,
                    "{}: the target probabilities of a row, along the last axis, must sum to 1, got {}", op, high <= 1 + room ? low : high);
}

// 1 where the target is counted. Exact for every ignore_index: as a Scalar it would go through a double.
Tensor counted_targets(const Tensor& targets, int64_t ignore_index) {
  return ne(targets, from_vector(std::vector<int64_t>{ignore_index}, {}));
}

// x, 0 where it is not counted: there it may hold anything.
Tensor masked(const Tensor& x, const Tensor& counted) {
  const bool all = sum(counted).item() == static_cast<double>(counted.numel());
  return all ? x : where(counted, x, scalar_like(x, 0));
}

// The targets, class 0 in place of those that are not counted.
Tensor class_ids(const Tensor& targets, int64_t ignore_index) { return masked(targets, counted_targets(targets, ignore_index)); }

// Reduces losses that are 0 where the target is not counted. The mean is Σ ℓ / Σ w_y over counted targets.
Tensor reduce_counted(const Tensor& losses, const Tensor& targets, int64_t ignore_index, const Tensor& class_weights, Reduction reduction,
                      OpName op = {}) {
  if (reduction != Reduction::mean) return reduce(losses, reduction);
  check<ValueError>(targets.numel() > 0, "{}: there is no target; the batch is empty", op);
  const Tensor counted = counted_targets(targets, ignore_index);
  const double count = sum(counted).item();
  check<ValueError>(count > 0, "{}: no target is counted; all equal ignore_index {}", op, ignore_index);
  const auto sum_of_weights = [&] { return sum(take(cast(class_weights, DType::f64), class_ids(targets, ignore_index)) * counted).item(); };
  const double total = class_weights.defined() ? sum_of_weights() : count;
  check<ValueError>(total > 0, "{}: the weights of the counted targets sum to {}", op, total);
  return in_f32({losses}, [=](const Tensors& in) { return sum(in[0]) / total; });
}

// A score that no softmax sees, and finite, so that its logarithm leaves no NaN where all others are -∞.
constexpr double kNever = -1e30;

// ℓ of each row by its target's class, 0 where the target is not counted.
Tensor hard_losses(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  const Tensor counted = counted_targets(targets, options.ignore_index), y = class_ids(targets, options.ignore_index);
  const Tensor w = options.class_weights.defined() ? cast(options.class_weights, logits.dtype()) : Tensor();
  const auto weighed = [&](const Tensor& x) { return w.defined() ? take(w, y) * x : x; };
  const auto scores = [&] { return masked(logits, unsqueeze(counted, -1)); };
  const Tensor own = fused(
      "cross_entropy", {logits, where(counted, targets, scalar_like(targets, -1))},  // -1: not counted
      [](const Tensors& in) { return formula::token_losses(masked(in[0], unsqueeze(in[1] >= 0, -1)), masked(in[1], in[1] >= 0)); },
      fast::token_losses());
  Tensor loss = weighed(own);
  // #region loss-label-smoothing
  const double smoothing = options.label_smoothing;
  if (smoothing > 0) {
    const Tensor each = -log_softmax(scores());  // logZ - z_j
    loss = (1 - smoothing) * loss + smoothing * mean(w.defined() ? w * each : each, -1);
  }
  // #endregion loss-label-smoothing
  // #region loss-z
  if (options.z_loss != 0) {
    const Tensor log_z = logsumexp(scores(), -1);
    loss = loss + weighed(options.z_loss * log_z * log_z);
  }
  // #endregion loss-z
  return masked(loss, counted);
}

// ℓ = Σ_j w_j p'_j (logZ - z_j) + c (Σ_j w_j p_j) (logZ)² of each row, with target probabilities p.
Tensor soft_losses(const Tensor& logits, const Tensor& p, const CrossEntropyOptions& options) {
  const double smoothing = options.label_smoothing, classes = static_cast<double>(logits.size(-1));
  const bool weighs = options.class_weights.defined();
  const Tensor w = weighs ? cast(options.class_weights, p.dtype()) : tensor(1, p.dtype());
  const Tensor weighted = weighs ? w * p : p;
  const Tensor smooth = smoothing > 0 ? (1 - smoothing) * weighted + (smoothing / classes) * w : weighted;  // w ⊙ p'
  const Tensor top = max(logits.detach(), -1, true);
  const Tensor z = logits - top;  // a shift changes no probability
  const Tensor log_sum = logsumexp(z, -1, true);
  Tensor each = log_sum - z;
  if (sum(isinf(z)).item() > 0) each = masked_fill(each, logical_and(eq(smooth, 0), isinf(z)), 0);  // 0·∞ = 0
  const Tensor losses = sum(smooth * each, -1);
  if (options.z_loss == 0) return losses;
  return losses + options.z_loss * sum(weighted, -1) * square(squeeze(log_sum + top, -1));
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  const bool soft = are_probabilities(logits, targets);
  soft ? check_probabilities(logits, targets) : check_targets(logits, targets, options.ignore_index);
  check_range("z_loss", options.z_loss, range::finite);
  check_range("label_smoothing", options.label_smoothing, range::share);
  check_class_weights(logits, options.class_weights);
  if (soft) {
    check<ValueError>(targets.numel() > 0 || options.reduction != Reduction::mean, "cross_entropy: there is no target; the batch is empty");
    return in_f32({logits, targets}, [&](const Tensors& in) { return reduce(soft_losses(in[0], in[1], options), options.reduction); });
  }
  if (logits.dtype() == DType::f16) {
    return in_f32({logits}, [&](const Tensors& in) { return cross_entropy(in[0], targets, options); });
  }
  const Tensor losses = hard_losses(logits, targets, options);
  return reduce_counted(losses, targets, options.ignore_index, options.class_weights, options.reduction);
}

Tensor focal(const Tensor& logits, const Tensor& targets, const FocalOptions& options) {
  check_targets(logits, targets, options.ignore_index);
  check_class_weights(logits, options.class_weights);
  const int64_t classes = logits.size(-1);
  check<ShapeError>(classes > 1, "focal: needs at least two classes along the last axis, got shape {}", logits.shape());
  check_range("gamma", options.gamma, range::not_negative);
  if (logits.dtype() == DType::f16) {
    return in_f32({logits}, [&](const Tensors& in) { return focal(in[0], targets, options); });
  }
  if (options.gamma == 0) {
    return cross_entropy(logits, targets,
                         {.ignore_index = options.ignore_index, .class_weights = options.class_weights, .reduction = options.reduction});
  }
  // #region loss-focal
  const Tensor counted = unsqueeze(counted_targets(targets, options.ignore_index), -1);
  const Tensor given = masked(logits, counted);
  const Tensor z = given - max(given.detach(), -1, true);  // a shift changes no probability
  const Tensor is_y = one_hot(class_ids(targets, options.ignore_index), classes, DType::i64);
  const Tensor others = masked_fill(z, is_y, kNever);
  const Tensor log_rest = logsumexp(others, -1) - logsumexp(z, -1);  // log(1 - p)
  const Tensor weighted_loss = cross_entropy(z, targets,
                                             {.ignore_index = options.ignore_index,  // -α_y log p
                                              .class_weights = options.class_weights,
                                              .reduction = Reduction::none});
  const Tensor losses = exp(options.gamma * log_rest) * weighted_loss;
  // #endregion loss-focal
  return reduce_counted(losses, targets, options.ignore_index, options.class_weights, options.reduction);
}

// #region loss-nll
Tensor nll(const Tensor& log_probabilities, const Tensor& targets, const NllOptions& options) {
  check_targets(log_probabilities, targets, options.ignore_index);
  check_class_weights(log_probabilities, options.class_weights);
  const Tensor y = class_ids(targets, options.ignore_index);
  const Tensor log_p = of_class(log_probabilities, y);
  const Tensor& w = options.class_weights;
  const Tensor weighted = w.defined() ? take(cast(w, log_p.dtype()), y) * log_p : log_p;
  const Tensor losses = masked(-weighted, counted_targets(targets, options.ignore_index));
  return reduce_counted(losses, targets, options.ignore_index, w, options.reduction);
}
// #endregion loss-nll

double accuracy(const Tensor& logits, const Tensor& targets, int64_t ignore_index) {
  check_targets(logits, targets, ignore_index);
  const Tensor counted = counted_targets(targets, ignore_index);
  const Tensor is_nan = isnan(max(logits.detach(), -1));
  const Tensor right = logical_and(argmax(logits) == targets, logical_not(is_nan));
  return sum(right * counted).item() / sum(counted).item();
}

}  // namespace gradus::nn
