#include "nn/activation/gelu.h"

#include <cmath>

#include "nn/activation/curve_kernels.h"

namespace gradus::nn {

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

namespace {

using namespace curve;

// Φ(x), the normal distribution function; `bell` is e^(-x²/2). In f32 by a polynomial in t = 1/(1 + p|x|/√2), with an
// error of 0.75e-7, about a rounding (Abramowitz and Stegun, 1964, 7.1.26); in f64 by erf.
template <typename V> V normal_distribution(V x, [[maybe_unused]] V bell) {
  using std::abs;
  constexpr double root_half = 0.70710678118654752440;
  const V z = x * constant<V>(root_half);
  if constexpr (std::is_same_v<Lane<V>, double>) {
    return constant<V>(0.5) * (V(1) + kernels::erf_of(z));
  } else {
    const V t = V(1) / (V(1) + constant<V>(0.3275911) * abs(z));
    V sum = constant<V>(1.061405429);
    for (const double a : {-1.453152027, 1.421413741, -0.284496736, 0.254829592}) sum = sum * t + constant<V>(a);
    const V tail = constant<V>(0.5) * sum * t * bell;  // Φ(-|x|)
    return select(x < V(0), tail, V(1) - tail);
  }
}

// #region act-gelu.kernel
struct GeluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::exp;
    constexpr double inverse_root_two_pi = 0.39894228040143267794;
    const V bell = exp(constant<V>(-0.5) * x * x), below = normal_distribution(x, bell);
    return {strong_zero_product(x, below), below + strong_zero_product(x, constant<V>(inverse_root_two_pi) * bell)};
  }
};
// #endregion act-gelu.kernel

// #region act-gelu-tanh.kernel
// ½(1 + tanh u) = sigmoid(2u)
struct GeluTanhCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    constexpr double two_root_two_over_pi = 1.59576912160573071176, cubic = 0.044715;
    const V c = constant<V>(two_root_two_over_pi), square = x * x;
    const V s = logistic(c * x * (V(1) + constant<V>(cubic) * square));
    const V du = c * (V(1) + constant<V>(3 * cubic) * square);  // of 2u, by x
    return {strong_zero_product(x, s), s + strong_zero_product(x * du, s * (V(1) - s))};
  }
};
// #endregion act-gelu-tanh.kernel

}  // namespace

constinit const Activation act::gelu{"gelu", "GELU", formula::gelu, curve_kernels<GeluCurve>()};
constinit const Activation act::gelu_tanh{"gelu_tanh", "GELU(tanh)", formula::gelu_tanh,
                                          curve_kernels<GeluTanhCurve>()};

}  // namespace gradus::nn
