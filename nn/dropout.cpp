#include "nn/dropout.h"

#include <cmath>

#include "core/tensor/random.h"
#include "nn/activation/elu.h"

namespace gradus::nn {

double checked_probability(const char* who, double p) {
  check<ValueError>(p >= 0 && p < 1, "{}: p must be in [0, 1), got {}", who, p);
  return p;
}

// #region regular-dropout
Tensor dropout(const Tensor& x, double p) {
  if (checked_probability("dropout", p) == 0) return x;
  const Tensor kept = uniform(x.shape()) >= p;
  return in_f32({x}, [&](const Tensors& in) { return in[0] * (cast(kept, in[0].dtype()) / (1 - p)); });
}
// #endregion regular-dropout

// #region regular-alpha-dropout
Tensor alpha_dropout(const Tensor& x, double p) {
  if (checked_probability("alpha_dropout", p) == 0) return x;
  constexpr double dropped = -act::kSeluScale * act::kSeluAlpha;  // α'
  const double a = 1 / std::sqrt((1 - p) * (1 + p * dropped * dropped)), b = -a * p * dropped;
  const Tensor kept = uniform(x.shape()) >= p;
  return a * where(kept, x, scalar_like(x, dropped)) + b;
}
// #endregion regular-alpha-dropout

Dropout::Dropout(double p) : p_(checked_probability("Dropout", p)) {}
AlphaDropout::AlphaDropout(double p) : p_(checked_probability("AlphaDropout", p)) {}

}  // namespace gradus::nn
