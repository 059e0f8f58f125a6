#include "nn/position/fire.h"

#include "core/options/range.h"

namespace gradus::nn {

FirePosition::FirePosition(const PositionOptions& o, const FireOptions& fire)
    : PositionEncoding("FirePosition", o),
      inner(1, check_size("hidden", fire.hidden)),
      outer(fire.hidden, o.heads),
      c(full({}, 0.1)),
      factor(ones({})),
      threshold_(check_range("the threshold", fire.threshold, range::positive)) {}

// #region pos-fire
Tensor FirePosition::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double) {
  const Tensor distance = cast(abs(offsets(q, k, positions)), c.dtype());  // |i - j|, [T, S]
  const auto psi = [&](const Tensor& x) { return log1p(abs(c) * x); };
  const Tensor own = unsqueeze(cast(positions.queries, c.dtype()), -1);  // i, [T, 1]
  const Tensor share = psi(distance) / psi(maximum(own, abs(factor) * threshold_));
  const Tensor bias = outer(relu(inner(unsqueeze(share, -1))));  // [T, S, H]
  return cast(bias.rank() == 3 ? permute(bias, {2, 0, 1}) : permute(bias, {0, 3, 1, 2}), q.dtype());
}
// #endregion pos-fire

void FirePosition::members(Members& m) {
  m.child("inner", inner);
  m.child("outer", outer);
  m.parameter("c", c, Role::other);
  m.parameter("factor", factor, Role::other);
}

}  // namespace gradus::nn
