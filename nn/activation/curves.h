// The curves of the activations: f(x) and f'(x), said once for numbers and for vectors of them. To add one: its struct,
// and its line in with_curve.
//
// They hold over the whole range of the type. At ±∞ value and derivative are the limits; a NaN stays NaN in the value
// (and in the derivative, except where that is a constant on each side of a kink).
#pragma once

#include <cmath>
#include <type_traits>

#include "nn/activation/activation_kernel.h"
#include "core/kernels/elementwise.h"

namespace gradus::kernels {

template <typename V> struct ValueAndSlope {
  V value, slope;
};

// The type of one number in V, a number or a vector of them.
template <typename V> struct Lane {
  using type = typename V::value_type;
};
template <> struct Lane<float> {
  using type = float;
};
template <> struct Lane<double> {
  using type = double;
};

// A constant as V.
template <typename V> V number(double c) { return V(static_cast<typename Lane<V>::type>(c)); }

template <typename M, typename V> V choose(M condition, V yes, V no) {
  if constexpr (std::is_floating_point_v<V>) {
    return condition ? yes : no;
  } else {
    return xsimd::select(condition, yes, no);
  }
}

// x·factor where the factor vanishes faster than x grows: 0 at x = ±∞, not ∞·0.
template <typename V> V damped(V x, V factor) { return choose(factor == V(0), V(0), x * factor); }

// 1 / (1 + e^-x): e^-x overflows to ∞ for large negative x, and 1/∞ = 0 is right.
template <typename V> V sigmoid_of(V x) {
  using std::exp;
  return V(1) / (V(1) + exp(-x));
}

struct SigmoidCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V s = sigmoid_of(x);
    return {s, s * (V(1) - s)};
  }
};

// Below and at the kink 0 the slope is `slope`.
struct LeakyReluCurve {
  double slope;
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V a = number<V>(slope);
    return {choose(x > V(0), x, damped(x, a)), choose(x > V(0), V(1), a)};
  }
};

struct ReluCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    return {choose(x <= V(0), V(0), x), choose(x > V(0), V(1), V(0))};
  }
};

struct Relu2Curve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V r = choose(x <= V(0), V(0), x);
    return {r * r, V(2) * r};
  }
};

struct Relu6Curve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V r = choose(x <= V(0), V(0), choose(x >= V(6), V(6), x));
    return {r, choose(x > V(0), choose(x < V(6), V(1), V(0)), V(0))};
  }
};

struct HardsigmoidCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const auto [r, slope] = Relu6Curve{}(x + V(3));
    return {r / V(6), slope / V(6)};
  }
};

struct HardswishCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const auto [s, slope] = HardsigmoidCurve{}(x);
    return {damped(x, s), s + damped(x, slope)};
  }
};

struct EluCurve {
  double alpha;
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    using std::exp;
    using std::expm1;
    const V a = number<V>(alpha);
    return {choose(x > V(0), x, a * expm1(x)), choose(x > V(0), V(1), a * exp(x))};
  }
};

struct SeluCurve {
  static constexpr double kAlpha = 1.6732632423543772848, kScale = 1.0507009873554804934;
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V scale = number<V>(kScale);
    const auto [value, slope] = EluCurve{kAlpha}(x);
    return {scale * value, scale * slope};
  }
};

// log(1 + e^x) = max(0, x) + log(1 + e^-|x|)
struct SoftplusCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    using std::abs;
    using std::exp;
    using std::log1p;
    return {choose(x > V(0), x, V(0)) + log1p(exp(-abs(x))), sigmoid_of(x)};
  }
};

struct SwishCurve {
  double beta;
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    const V scaled = damped(x, number<V>(beta)), s = sigmoid_of(scaled);
    return {damped(x, s), s + damped(scaled, s * (V(1) - s))};
  }
};

// tanh(log(1 + e^x)) = (w² + 2w) / (w² + 2w + 2), w = e^x; over w² for x > 0, so that nothing overflows.
struct MishCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    using std::abs;
    using std::exp;
    const V w = exp(-abs(x));
    const V part = choose(x > V(0), V(1) + V(2) * w, w * w + V(2) * w), rest = choose(x > V(0), V(2) * w * w, V(2));
    const V t = part / (part + rest), below_one = rest / (part + rest);  // 1 - t, without cancellation
    return {damped(x, t), t + damped(x, below_one * (V(1) + t) * sigmoid_of(x))};
  }
};

// Φ(x), the normal distribution function; `bell` is e^(-x²/2). In f32 by a polynomial in t = 1/(1 + p|x|/√2), with an
// error of 0.75e-7, about a rounding (Abramowitz and Stegun, 1964, 7.1.26); in f64 by erf.
template <typename V> V normal_distribution(V x, [[maybe_unused]] V bell) {
  using std::abs;
  using std::erf;
  constexpr double root_half = 0.70710678118654752440;
  const V z = x * number<V>(root_half);
  if constexpr (std::is_same_v<typename Lane<V>::type, double>) {
    return number<V>(0.5) * (V(1) + erf(z));
  } else {
    const V t = V(1) / (V(1) + number<V>(0.3275911) * abs(z));
    V sum = number<V>(1.061405429);
    for (const double a : {-1.453152027, 1.421413741, -0.284496736, 0.254829592}) sum = sum * t + number<V>(a);
    const V tail = number<V>(0.5) * sum * t * bell;  // Φ(-|x|)
    return choose(x < V(0), tail, V(1) - tail);
  }
}

struct GeluCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    using std::exp;
    constexpr double inverse_root_two_pi = 0.39894228040143267794;
    const V bell = exp(number<V>(-0.5) * x * x), below = normal_distribution(x, bell);
    return {damped(x, below), below + damped(x, number<V>(inverse_root_two_pi) * bell)};
  }
};

// ½(1 + tanh u) = σ(2u)
struct GeluTanhCurve {
  template <typename V> ValueAndSlope<V> operator()(V x) const {
    constexpr double two_root_two_over_pi = 1.59576912160573071176, cubic = 0.044715;
    const V c = number<V>(two_root_two_over_pi), square = x * x;
    const V s = sigmoid_of(c * x * (V(1) + number<V>(cubic) * square));
    const V inner_slope = c * (V(1) + number<V>(3 * cubic) * square);
    return {damped(x, s), s + damped(x * inner_slope, s * (V(1) - s))};
  }
};

// Calls body(curve).
template <typename Body> void with_curve(const Curve& f, const Body& body) {
  using Kind = Curve::Kind;
  switch (f.kind) {
    case Kind::sigmoid: return body(SigmoidCurve{});
    case Kind::relu: return body(ReluCurve{});
    case Kind::leaky_relu: return body(LeakyReluCurve{f.parameter});
    case Kind::relu2: return body(Relu2Curve{});
    case Kind::relu6: return body(Relu6Curve{});
    case Kind::hardsigmoid: return body(HardsigmoidCurve{});
    case Kind::hardswish: return body(HardswishCurve{});
    case Kind::elu: return body(EluCurve{f.parameter});
    case Kind::selu: return body(SeluCurve{});
    case Kind::softplus: return body(SoftplusCurve{});
    case Kind::swish: return body(SwishCurve{f.parameter});
    case Kind::mish: return body(MishCurve{});
    case Kind::gelu: return body(GeluCurve{});
    case Kind::gelu_tanh: return body(GeluTanhCurve{});
  }
}

}  // namespace gradus::kernels
