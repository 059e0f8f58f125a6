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

// #region act-gelu.kernel
// Φ(x), the normal distribution function; `bell` is e^(-x²/2). In f64 by erf. In f32 Φ(-|x|) is P(t) t bell with a polynomial
// P of t = 1/(1 + 0.2326 |x|), the form of Abramowitz and Stegun (1964), 7.1.26. Theirs is within 0.75e-7 of Φ, which in the
// tail is more than Φ; this P, with P(1) = ½, is within 8.1e-8 relative to Φ, everywhere.
template <typename V> V normal_distribution(V x, [[maybe_unused]] V bell) {
  using std::abs;
  if constexpr (std::is_same_v<Lane<V>, double>) {
    return splat<V>(0.5) * (V(1) + kernels::erf_of(x * splat<V>(0.70710678118654752440)));  // of x/√2
  } else {
    const V t = V(1) / (V(1) + splat<V>(0.2326) * abs(x));
    V sum = splat<V>(-0.0694848165);
    for (const double a : {0.24031058, -0.191373509, 0.21761911, 0.0168901941, 0.102251653, 0.0908859695, 0.0929008185})
      sum = sum * t + splat<V>(a);
    const V tail = sum * t * bell;  // Φ(-|x|)
    return select(x < V(0), tail, V(1) - tail);
  }
}

struct GeluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::exp;
    constexpr double inverse_root_two_pi = 0.39894228040143267794;
    const V bell = exp(splat<V>(-0.5) * x * x), below = normal_distribution(x, bell);
    return {strong_zero_product(x, below), below + strong_zero_product(x, splat<V>(inverse_root_two_pi) * bell)};
  }
};
// #endregion act-gelu.kernel

// #region act-gelu-tanh.kernel
// ½(1 + tanh u) = sigmoid(2u)
struct GeluTanhCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    constexpr double two_root_two_over_pi = 1.59576912160573071176, cubic = 0.044715;
    const V c = splat<V>(two_root_two_over_pi), square = x * x;
    const V s = logistic(c * x * (V(1) + splat<V>(cubic) * square));
    const V du = c * (V(1) + splat<V>(3 * cubic) * square);  // of 2u, by x
    return {strong_zero_product(x, s), s + strong_zero_product(x * du, s * (V(1) - s))};
  }
};
// #endregion act-gelu-tanh.kernel

}  // namespace

constinit const Activation act::gelu{"gelu", "GELU", formula::gelu, curve_kernels<GeluCurve>()};
constinit const Activation act::gelu_tanh{"gelu_tanh", "GELU(tanh)", formula::gelu_tanh, curve_kernels<GeluTanhCurve>()};

}  // namespace gradus::nn
