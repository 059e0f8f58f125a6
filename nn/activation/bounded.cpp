#include "nn/activation/bounded.h"

#include "core/options/range.h"
#include "nn/activation/curve_kernels.h"
#include "nn/activation/swish.h"

namespace gradus::nn {
namespace {

Tensor at_most(const Tensor& x, double limit) { return clamp(x, -range::infinity, limit); }

}  // namespace

// #region ffn-swiglu-clamped
// y = W₂ (f(W₁ x) ⊙ v(W₃ x)), with f and v the first two, or the second two
Tensor formula::clamped_silu(const Tensor& a, double limit) { return silu(at_most(a, limit)); }
Tensor formula::clamped_value(const Tensor& u, double limit) { return clamp(u, -limit, limit); }

Tensor formula::clamped_quick_gelu(const Tensor& a, double limit) { return quick_gelu(at_most(a, limit)); }
Tensor formula::clamped_value_plus_one(const Tensor& u, double limit) { return clamp(u, -limit, limit) + 1; }
// #endregion ffn-swiglu-clamped

// #region ffn-situ
// y = W₂ (f(W₁ x) ⊙ v(W₃ x)) of these two
Tensor formula::situ(const Tensor& a, double limit) { return softcap(a, limit) * gradus::sigmoid(a); }
Tensor formula::softcap(const Tensor& u, double limit) { return limit * gradus::tanh(u / limit); }
// #endregion ffn-situ

namespace {

using namespace curve;

// #region ffn-swiglu-clamped.kernel
// Swish_β of min(a, L)
template <typename V> ValueAndDerivative<V> clamped_swish(V a, double beta, double limit) {
  const V b = splat<V>(beta), end = splat<V>(limit), x = select(a > end, end, a), s = logistic(b * x);
  return {strong_zero_product(x, s), select(a > end, V(0), s + strong_zero_product(b * x, s * (V(1) - s)))};
}
struct ClampedSiluCurve {
  double limit;
  template <typename V> ValueAndDerivative<V> operator()(V a) const { return clamped_swish(a, 1, limit); }
};
struct ClampedQuickGeluCurve {
  double limit;
  template <typename V> ValueAndDerivative<V> operator()(V a) const { return clamped_swish(a, 1.702, limit); }
};
// #endregion ffn-swiglu-clamped.kernel

// #region ffn-situ.kernel
struct SoftcapCurve {
  double limit;
  template <typename V> ValueAndDerivative<V> operator()(V u) const {
    using std::tanh;
    const V cap = splat<V>(limit), t = tanh(u / cap);
    return {cap * t, V(1) - t * t};
  }
};
struct SituCurve {
  double limit;
  template <typename V> ValueAndDerivative<V> operator()(V a) const {
    const auto [capped, slope] = SoftcapCurve{limit}(a);
    const V s = logistic(a);
    return {capped * s, slope * s + capped * s * (V(1) - s)};
  }
};
// #endregion ffn-situ.kernel

}  // namespace

Activation act::clamped_silu(double limit) {
  check_range("the limit", limit, range::positive);
  return {"clamped_silu", "ClampedSiLU", formula::clamped_silu, curve_kernels<ClampedSiluCurve>(), limit};
}

Activation act::clamped_quick_gelu(double limit) {
  check_range("the limit", limit, range::positive);
  return {"clamped_quick_gelu", "ClampedQuickGELU", formula::clamped_quick_gelu, curve_kernels<ClampedQuickGeluCurve>(), limit};
}

Activation act::clamped_value(double limit) {
  check_range("the limit", limit, range::positive);
  return {"clamped_value", "ClampedValue", formula::clamped_value, {}, limit};
}

Activation act::clamped_value_plus_one(double limit) {
  check_range("the limit", limit, range::positive);
  return {"clamped_value_plus_one", "ClampedValuePlusOne", formula::clamped_value_plus_one, {}, limit};
}

Activation act::situ(double limit) {
  check_range("the limit", limit, range::positive);
  return {"situ", "SiTU", formula::situ, curve_kernels<SituCurve>(), limit};
}

Activation act::softcap(double limit) {
  check_range("the limit", limit, range::positive);
  return {"softcap", "Softcap", formula::softcap, curve_kernels<SoftcapCurve>(), limit};
}

}  // namespace gradus::nn
