#include "nn/position/transformer_xl.h"

#include "nn/attention/attention.h"
#include "nn/position/sinusoidal.h"

namespace gradus::nn {

TransformerXLPosition::TransformerXLPosition(const PositionOptions& o)
    : PositionEncoding("TransformerXLPosition", o),
      distance_proj(o.d_model, o.heads * o.head_dim, {.bias = false}),
      content_bias(zeros({o.heads, o.head_dim})),
      distance_bias(zeros({o.heads, o.head_dim})) {}

// #region pos-relative-xl
Tensor TransformerXLPosition::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) {
  const Tensor distance = -offsets(q, k, positions);  // i - j
  const int64_t heads = q.size(2), head_dim = q.size(3);
  if (distance.numel() == 0) return {};
  const double nearest = min(distance).item(), farthest = max(distance).item();
  const Tensor waves = formula::sinusoidal(arange(nearest, farthest + 1, 1, DType::f64), distance_proj.weight.size(1));
  const Tensor rows = reshape(distance_proj(cast(waves, q.dtype())), {-1, heads, head_dim});  // W_R R of each distance

  const Tensor all_keys = permute(repeat_heads(k, heads), {0, 2, 3, 1});  // [B, H, d, S]
  const Tensor content = matmul(unsqueeze(content_bias, 1), all_keys);    // u · k_j, [B, H, 1, S]
  const Tensor asked = permute(q + distance_bias, {0, 2, 1, 3});          // q_i + v, [B, H, T, d]
  const Tensor by_distance = matmul(asked, permute(rows, {1, 2, 0}));     // [B, H, T, distances]
  const Tensor ids = expand(unsqueeze(distance - nearest, -3), {q.size(0), heads, q.size(1), k.size(1)});
  return scale * (content + gather(by_distance, -1, ids));
}
// #endregion pos-relative-xl

void TransformerXLPosition::members(Members& m) {
  m.child("distance_proj", distance_proj);
  m.parameter("content_bias", content_bias, Role::bias);
  m.parameter("distance_bias", distance_bias, Role::bias);
}

}  // namespace gradus::nn
