#include "nn/position/cope.h"

#include "core/options/range.h"
#include "nn/attention/attention.h"

namespace gradus::nn {

CoPE::CoPE(const PositionOptions& o, int64_t count)
    : PositionEncoding("CoPE", o), weight(zeros({check_size("the number of positions", count), o.head_dim})) {
  check<ValueError>(o.causal, "CoPE: counts the keys up to the query, so it needs causal attention");
}

// #region pos-cope
Tensor CoPE::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) {
  const Tensor seen = unsqueeze(offsets(q, k, positions) <= 0, -3);  // j <= i
  const auto last = static_cast<double>(weight.size(0) - 1);
  const Tensor queries = permute(q, {0, 2, 1, 3}), keys = permute(repeat_heads(k, q.size(2)), {0, 2, 1, 3});
  const Tensor gates = sigmoid(matmul(queries, keys, {.transpose_b = true}) * scale) * seen;
  const Tensor position = clamp(flip(cumsum(flip(gates, -1), -1), -1), 0, last);  // Σ from j to i

  const Tensor below = cast(position.detach(), DType::i64);  // ⌊p⌋
  const Tensor above = minimum(below + 1, scalar_like(below, last));
  const Tensor at_whole = matmul(queries, weight, {.transpose_b = true});  // q_i · e[0], e[1], …
  const Tensor share = position - below;
  return (1 - share) * gather(at_whole, -1, below) + share * gather(at_whole, -1, above);
}
// #endregion pos-cope

}  // namespace gradus::nn
