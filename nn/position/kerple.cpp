#include "nn/position/kerple.h"

#include "core/tensor/random.h"

namespace gradus::nn {
namespace {

// r in [0, highest] as between two mirrors: 0 … highest, back to 0, and so on.
Tensor mirrored(const Tensor& r, double highest) {
  const Tensor returns = cast(abs(r.detach()) / (2 * highest) + 0.5, DType::i64);
  return abs(abs(r) - cast(returns, r.dtype()) * (2 * highest));
}

}  // namespace

KerplePosition::KerplePosition(const PositionOptions& o, KerpleForm form) : PositionEncoding("KerplePosition", o), form_(form) {
  const bool logarithmic = form == KerpleForm::logarithmic;
  r1 = uniform({o.heads}, 0, logarithmic ? 2 : 1);
  r2 = uniform({o.heads}, 0, logarithmic ? 1 : 2);
}

// #region pos-kerple
Tensor KerplePosition::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double) {
  const Tensor distance = unsqueeze(abs(offsets(q, k, positions)), -3);  // |i - j|, [1, T, S]
  const Tensor factor = reshape(abs(r1), {-1, 1, 1});
  if (form_ == KerpleForm::logarithmic) {
    const Tensor inner = reshape(abs(r2), {-1, 1, 1});
    return cast(-factor * log1p(inner * distance), q.dtype());
  }
  const Tensor exponent = reshape(mirrored(r2, 2), {-1, 1, 1});
  const Tensor logarithm = log(cast(maximum(distance, ones_like(distance)), r2.dtype()));
  const Tensor power = exp(exponent * logarithm);
  return cast(-factor * where(distance > 0, power, scalar_like(power, 0)), q.dtype());  // 0^r₂ = 0
}
// #endregion pos-kerple

void KerplePosition::members(Members& m) {
  m.parameter("r1", r1, Role::other);
  m.parameter("r2", r2, Role::other);
}

std::string KerplePosition::describe() const {
  return form_ == KerpleForm::logarithmic ? "KerplePosition(logarithmic)" : "KerplePosition(power)";
}

}  // namespace gradus::nn
