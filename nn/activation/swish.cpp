#include "nn/activation/swish.h"

#include "core/options/range.h"
#include "nn/activation/curve_kernels.h"
#include "nn/activation/sigmoid.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// #region act-swish
Tensor formula::swish(const Tensor& x, const Tensor& beta) { return x * gradus::sigmoid(beta * x); }
// #endregion act-swish

// #region act-silu
Tensor formula::silu(const Tensor& x) { return x * gradus::sigmoid(x); }
// #endregion act-silu

// #region act-quick-gelu
Tensor formula::quick_gelu(const Tensor& x) { return x * gradus::sigmoid(1.702 * x); }
// #endregion act-quick-gelu

// #region act-mish
Tensor formula::mish(const Tensor& x) { return x * gradus::tanh(softplus(x)); }
// #endregion act-mish

namespace {

using namespace curve;

// #region act-swish.kernel
struct SwishCurve {
  double beta;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V scaled = strong_zero_product(x, splat<V>(beta)), s = logistic(scaled);
    return {strong_zero_product(x, s), s + strong_zero_product(scaled, s * (V(1) - s))};
  }
};
// #endregion act-swish.kernel

// #region act-silu.kernel
struct SiluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const { return SwishCurve{1}(x); }
};
// #endregion act-silu.kernel

// #region act-quick-gelu.kernel
struct QuickGeluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const { return SwishCurve{1.702}(x); }
};
// #endregion act-quick-gelu.kernel

// #region act-mish.kernel
// tanh(log(1 + e^x)) = (w² + 2w) / (w² + 2w + 2), w = e^x; over w² for x > 0, so that nothing overflows.
struct MishCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    using std::exp;
    const V w = exp(-abs(x));
    const V part = select(x > V(0), V(1) + V(2) * w, w * w + V(2) * w), rest = select(x > V(0), V(2) * w * w, V(2));
    const V t = part / (part + rest), below_one = rest / (part + rest);  // 1 - t, without cancellation
    const V dt = below_one * (V(1) + t) * logistic(x);
    return {strong_zero_product(x, t), t + strong_zero_product(x, dt)};
  }
};
// #endregion act-mish.kernel

// y = x σ(βx) of x and β []      dL/dβ = Σ g ⊙ x² σ'(βx)
class LearnedSwishKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override { return CurveKernel(SwishCurve{in[1].item()}).forward(in); }

  // #region act-swish.kernel.beta
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override {
    const double beta = in[1].item();
    const Tensor dy_dbeta = kernels::map_math(
        in[0],
        [beta](auto x) {
          using V = decltype(x);
          const V s = logistic(strong_zero_product(x, splat<V>(beta)));
          return strong_zero_product(x * x, s * (V(1) - s));
        },
        "swish");
    return {CurveKernel(SwishCurve{beta}).backward(g, in, y)[0], sum(g * dy_dbeta)};
  }
  // #endregion act-swish.kernel.beta
};

Tensor fixed_swish(const Tensor& x, double beta) { return formula::swish(x, scalar_like(x, beta)); }

}  // namespace

Activation act::swish(double beta) {
  check_range("beta", beta, range::finite);
  return {"swish", "Swish", fixed_swish, curve_kernels<SwishCurve>(), beta};
}
constinit const Activation act::silu{"silu", "SiLU", formula::silu, curve_kernels<SiluCurve>()};
constinit const Activation act::quick_gelu{"quick_gelu", "QuickGELU", formula::quick_gelu, curve_kernels<QuickGeluCurve>()};
constinit const Activation act::mish{"mish", "Mish", formula::mish, curve_kernels<MishCurve>()};

Tensor learned_swish(const Tensor& x, const Tensor& beta) {
  check_inputs({{"x", x}, {"beta", beta}});
  check<ShapeError>(beta.rank() == 0, "learned_swish: beta must have shape [], got {}", beta.shape());
  return fused(
      "learned_swish", {x, beta}, [](const Tensors& in) { return formula::swish(in[0], in[1]); }, std::make_unique<LearnedSwishKernel>());
}

Swish::Swish(double beta_at_first) : beta(full({}, check_range("beta", beta_at_first, range::finite))) {}

}  // namespace gradus::nn
