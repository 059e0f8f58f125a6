#include "nn/position/shaw.h"

#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {

ShawPosition::ShawPosition(const PositionOptions& o, int64_t reach)
    : PositionEncoding("ShawPosition", o), reach_(check_size("the reach", reach)) {
  key_rows = Tensor(Shape{2 * reach + 1, o.head_dim}, DType::f32);
  value_rows = Tensor(Shape{2 * reach + 1, o.head_dim}, DType::f32);
  init_normal(key_rows, 0.02);
  init_normal(value_rows, 0.02);
}

// #region pos-relative-shaw
Tensor ShawPosition::row_ids(const Tensor& distances, const Shape& scores) const {
  const auto k = static_cast<double>(reach_);
  const Tensor r = clamp(distances, -k, k);  // clip(j - i, -k, k)
  return expand(unsqueeze(r + k, -3), scores);
}

// scale · q_i · a^K_r: each query meets the 2k+1 rows once, and each key picks the one of its distance.
Tensor ShawPosition::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) {
  const Tensor distances = offsets(q, k, positions);
  const Tensor by_row = matmul(permute(q, {0, 2, 1, 3}), key_rows, {.transpose_b = true}) * scale;  // [B, H, T, 2k+1]
  return gather(by_row, -1, row_ids(distances, {q.size(0), q.size(2), q.size(1), k.size(1)}));
}

// Σ_j P_ij a^V_r: what the keys of one distance weigh together, times its row.
Tensor ShawPosition::on_values(const Tensor& p, const Positions& positions) {
  check_defined({{"probabilities", p}}, "ShawPosition");
  check<ShapeError>(p.rank() == 4, "ShawPosition: expected probabilities [B, H, T, S], got {}", p.shape());
  const Tensor nothing = zeros({p.size(0), p.size(1), p.size(2), 2 * reach_ + 1}, p.dtype());
  const Tensor by_row = scatter_add(nothing, -1, row_ids(key_offsets(positions), p.shape()), p);  // [B, H, T, 2k+1]
  return permute(matmul(by_row, value_rows), {0, 2, 1, 3});
}
// #endregion pos-relative-shaw

void ShawPosition::members(Members& m) {
  m.parameter("key_rows", key_rows, Role::table);
  m.parameter("value_rows", value_rows, Role::table);
}

}  // namespace gradus::nn
