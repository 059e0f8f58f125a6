#include "nn/activation/elu.h"

namespace gradus::nn {

using kernels::Curve;

// #region act-elu
Tensor formula::elu(const Tensor& x, double alpha) { return where(x > 0, x, alpha * expm1(lower_branch(x))); }
// #endregion act-elu

// #region act-selu
Tensor formula::selu(const Tensor& x) {
  constexpr double alpha = 1.6732632423543772848, scale = 1.0507009873554804934;
  return scale * elu(x, alpha);
}
// #endregion act-selu

Tensor elu(const Tensor& x, double alpha) {
  check<ValueError>(alpha >= 0, "elu: alpha must not be negative, got {}", alpha);
  return elementwise("elu", {Curve::Kind::elu, alpha}, x, [alpha](const Tensor& v) { return formula::elu(v, alpha); });
}

ELU::ELU(ELUOptions o)
    : Activation(fmt::format("ELU({})", o.alpha), [o](const Tensor& x) { return elu(x, o.alpha); }) {
  check<ValueError>(o.alpha >= 0, "ELU: alpha must not be negative, got {}", o.alpha);
}

Tensor selu(const Tensor& x) { return elementwise("selu", {Curve::Kind::selu}, x, formula::selu); }

}  // namespace gradus::nn
