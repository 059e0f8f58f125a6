#include "nn/loss/probability.h"

#include "core/options/range.h"
#include "nn/activation/sigmoid.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

void check_weight(const char* name, const Tensor& weight, const Tensor& x, OpName op = {}) {
  if (!weight.defined()) return;
  check_inputs({{name, weight}}, op);
  check<ShapeError>(broadcasts_to(weight.shape(), x.shape()), "{}: {} of shape {} does not broadcast to the scores' {}", op, name,
                    weight.shape(), x.shape());
  check<ValueError>(!weight.requires_grad(), "{}: {} gets no gradient; use detach()", op, name);
  for (const double w : to_vector(weight)) check_range(name, w, range::not_negative, op);
}

}  // namespace

Tensor bce_with_logits(const Tensor& x, const Tensor& y, const BceOptions& options) {
  check_pair(x, y, {"scores", "have", "targets"});
  for (const double target : to_vector(y)) {  // with room for differences at 0 and at 1
    check<ValueError>(target >= -0.01 && target <= 1.01, "bce_with_logits: a target must be in [0, 1], got {}", target);
  }
  check_weight("weight", options.weight, x, "bce_with_logits");
  check_weight("pos_weight", options.pos_weight, x, "bce_with_logits");
  const auto weigh = [&](const Tensor& weight, const Tensor& loss) { return weight.defined() ? cast(weight, loss.dtype()) * loss : loss; };
  // #region loss-bce-logits
  // share · log(1 + e^score), where 0·∞ = 0
  const auto cost = [](const Tensor& share, const Tensor& score) {
    const Tensor loss = act::softplus(score);
    if (sum(isinf(score)).item() == 0) return share * loss;
    return share * masked_fill(loss, logical_and(eq(share, 0), isinf(score)), 0);
  };
  return in_f32({x, y}, [&](const Tensors& in) {
    const Tensor positive = weigh(options.pos_weight, cost(in[1], -in[0]));
    return reduce(weigh(options.weight, positive + cost(1 - in[1], in[0])), options.reduction);
  });
  // #endregion loss-bce-logits
}

Tensor kl_divergence(const Tensor& log_q, const Tensor& log_p, Reduction reduction) {
  check_inputs({{"log_p", log_p}, {"log_q", log_q}});
  check<ShapeError>(log_q.shape() == log_p.shape() && log_q.rank() > 0,
                    "kl_divergence: log_q has shape {}, log_p {}; expected the same, [..., V]", log_q.shape(), log_p.shape());
  return in_f32({log_q, log_p}, [&](const Tensors& in) {
    // #region loss-kl
    const Tensor p = exp(in[1]);
    const Tensor log_ratio = masked_fill(in[1] - in[0], eq(p, 0), 0);  // 0 log 0 = 0
    return reduce(sum(p * log_ratio, -1), reduction);
    // #endregion loss-kl
  });
}

}  // namespace gradus::nn
