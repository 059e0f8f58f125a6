#include "nn/loss/cross_entropy.h"

#include "core/autograd/record.h"
#include "core/kernels/cross_entropy.h"

namespace gradus::nn {
namespace {

void check_targets(const Tensor& logits, const Tensor& targets, int64_t ignore_index) {
  check<ShapeError>(logits.rank() > 0 && targets.shape() == logits.shape().slice(0, logits.rank() - 1),
                    "cross_entropy: logits {} need targets of the same shape without the last axis, got {}",
                    logits.shape(), targets.shape());
  check<DTypeError>(targets.dtype() == DType::i64, "cross_entropy: targets must be class ids (i64), got {}",
                    targets.dtype());
  const int64_t *target = targets.data<int64_t>(), classes = logits.size(-1);
  for (int64_t i = 0; i < targets.numel(); ++i) {
    check<ValueError>(target[i] == ignore_index || (target[i] >= 0 && target[i] < classes),
                      "cross_entropy: target {} is out of range; expected 0 … {} or ignore_index {}", target[i],
                      classes - 1, ignore_index);
  }
}

}  // namespace

// #region loss-cross-entropy
// #region loss-z
Tensor formula::token_losses(const Tensor& logits, const Tensor& targets, double z_loss) {
  const Tensor counted = targets >= 0;
  const Tensor class_id = where(counted, targets, scalar_like(targets, 0));
  const Tensor log_z = logsumexp(logits, -1);
  const Tensor score = squeeze(gather(logits, -1, unsqueeze(class_id, -1)), -1);
  return (log_z - score + z_loss * square(log_z)) * counted;
}
// #endregion loss-z
// #endregion loss-cross-entropy

namespace {

Tensor token_losses(const Tensor& logits, const Tensor& targets, double z_loss) {
  if (formula_only()) return formula::token_losses(logits, targets, z_loss);
  const auto [losses, log_z] = kernels::cross_entropy(logits, targets, z_loss);
  return record_fused(
      "cross_entropy", losses, {logits},
      [=](const Tensors& in) { return formula::token_losses(in[0], targets, z_loss); },
      [=, log_sums = log_z](const Step& s) {
        return Tensors{kernels::cross_entropy_backward(s.grad, s.input(0), targets, log_sums, z_loss)};
      });
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  check_targets(logits, targets, options.ignore_index);
  const Tensor counted = ne(targets, scalar_like(targets, static_cast<double>(options.ignore_index)));
  const double count = sum(counted).item();
  check<ValueError>(count > 0, "cross_entropy: no target is counted; all equal ignore_index {}", options.ignore_index);
  const Tensor class_ids = where(counted, targets, scalar_like(targets, -1));
  return sum(token_losses(reshape(logits, {-1, logits.size(-1)}), flatten(class_ids), options.z_loss)) / count;
}

}  // namespace gradus::nn
