#include "nn/position/fire.h"

namespace gradus::nn {

FirePosition::FirePosition(const PositionOptions& o, const FireOptions& fire)
    : inner(1, fire.hidden), outer(fire.hidden, o.heads), c(full({}, 0.1)), factor(ones({})), threshold_(fire.threshold) {
  check<ValueError>(fire.threshold > 0, "FirePosition: the threshold must be positive, got {}", fire.threshold);
}

// #region pos-fire
Tensor FirePosition::on_scores(const Tensor& q, const Tensor&, const Positions& positions, double) {
  const auto psi = [&](const Tensor& x) { return log1p(abs(c) * x); };
  const Tensor distance = cast(abs(key_offsets(positions)), c.dtype());            // |i - j|, [T, S]
  const Tensor own = unsqueeze(cast(positions.queries, c.dtype()), -1);            // i, [T, 1]
  const Tensor share = psi(distance) / psi(maximum(own, abs(factor) * threshold_));
  const Tensor bias = outer(relu(inner(unsqueeze(share, -1))));                 // [T, S, H]
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
