#include "nn/loss/probability.h"

#include "nn/activation/sigmoid.h"

namespace gradus::nn {

Tensor bce_with_logits(const Tensor& x, const Tensor& y, Reduction reduction) {
  check<ShapeError>(x.shape() == y.shape(), "bce_with_logits: the scores have shape {}, the targets {}", x.shape(),
                    y.shape());
  // #region loss-bce-logits
  const Tensor log_one_plus_exp = act::softplus(x);  // log(1 + e^x)
  return reduce(log_one_plus_exp - x * y, reduction);
  // #endregion loss-bce-logits
}

Tensor kl_divergence(const Tensor& log_q, const Tensor& log_p, Reduction reduction) {
  check<ShapeError>(log_q.shape() == log_p.shape() && log_q.rank() > 0,
                    "kl_divergence: log_q has shape {}, log_p {}; expected the same, [..., V]", log_q.shape(),
                    log_p.shape());
  // #region loss-kl
  const Tensor p = exp(log_p);
  const Tensor log_ratio = masked_fill(log_p - log_q, eq(p, 0), 0);  // 0 log 0 = 0
  return reduce(sum(p * log_ratio, -1), reduction);
  // #endregion loss-kl
}

}  // namespace gradus::nn
