#include "nn/activation/gelu.h"

#include <cmath>

namespace gradus::nn {

using kernels::Curve;

// #region act-gelu
Tensor formula::gelu(const Tensor& x) {
  const Tensor below = 0.5 * (1 + erf(x / std::sqrt(2)));  // Φ(x)
  return x * below;
}
// #endregion act-gelu

// #region act-gelu-tanh
Tensor formula::gelu_tanh(const Tensor& x) {
  constexpr double root_two_over_pi = 0.79788456080286535588;
  return 0.5 * x * (1 + gradus::tanh(root_two_over_pi * (x + 0.044715 * x * x * x)));
}
// #endregion act-gelu-tanh

Tensor gelu(const Tensor& x) { return elementwise("gelu", {Curve::Kind::gelu}, x, formula::gelu); }
Tensor gelu_tanh(const Tensor& x) { return elementwise("gelu_tanh", {Curve::Kind::gelu_tanh}, x, formula::gelu_tanh); }

}  // namespace gradus::nn
