#include "nn/dropout.h"

#include <cmath>

#include "core/options/range.h"
#include "core/tensor/random.h"
#include "nn/activation/elu.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// #region regular-dropout
Tensor dropout(const Tensor& x, double p) {
  check_inputs({{"x", x}});
  if (check_range("p", p, range::below_one) == 0) return x;
  const Tensor kept = uniform(x.shape()) >= p;
  return in_f32({x}, [&](const Tensors& in) { return in[0] * (cast(kept, in[0].dtype()) / (1 - p)); });
}
// #endregion regular-dropout

// #region regular-alpha-dropout
Tensor alpha_dropout(const Tensor& x, double p) {
  check_inputs({{"x", x}});
  if (check_range("p", p, range::below_one) == 0) return x;
  constexpr double dropped = -act::kSeluScale * act::kSeluAlpha;  // α'
  const double a = 1 / std::sqrt((1 - p) * (1 + p * dropped * dropped)), b = -a * p * dropped;
  const Tensor kept = uniform(x.shape()) >= p;
  return a * where(kept, x, scalar_like(x, dropped)) + b;
}
// #endregion regular-alpha-dropout

Dropout::Dropout(double p) : p_(check_range("p", p, range::below_one)) {}
AlphaDropout::AlphaDropout(double p) : p_(check_range("p", p, range::below_one)) {}

}  // namespace gradus::nn
