#include "nn/position/kerple.h"

#include "core/kernels/random.h"

namespace gradus::nn {

KerplePosition::KerplePosition(const PositionOptions& o, KerpleForm form) : form_(form) {
  const bool logarithmic = form == KerpleForm::logarithmic;
  r1 = uniform({o.heads}, 0, logarithmic ? 2 : 1);
  r2 = uniform({o.heads}, 0, logarithmic ? 1 : 2);
}

// #region pos-kerple
Tensor KerplePosition::on_scores(const Tensor& q, const Tensor&, const Places& places, double) {
  const Tensor distance = unsqueeze(abs(key_offsets(places)), -3);  // |i - j|, [1, T, S]
  const Tensor factor = reshape(maximum(r1, scalar_like(r1, 0.01)), {-1, 1, 1});
  const Tensor inner = reshape(maximum(r2, scalar_like(r2, 0.01)), {-1, 1, 1});
  if (form_ == KerpleForm::logarithmic) return cast(-factor * log1p(inner * distance), q.dtype());
  const Tensor logarithm = log(cast(maximum(distance, ones_like(distance)), r2.dtype()));
  const Tensor power = exp(minimum(inner, scalar_like(inner, 2)) * logarithm);
  return cast(-factor * where(distance > 0, power, scalar_like(power, 0)), q.dtype());  // 0^r₂ = 0
}
// #endregion pos-kerple

void KerplePosition::members(Members& m) {
  m.parameter("r1", r1);
  m.parameter("r2", r2);
}

std::string KerplePosition::name() const {
  return form_ == KerpleForm::logarithmic ? "KerplePosition(logarithmic)" : "KerplePosition(power)";
}

}  // namespace gradus::nn
