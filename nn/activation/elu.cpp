#include "nn/activation/elu.h"

#include "core/options/range.h"
#include "nn/activation/curve_kernels.h"
#include "nn/activation/relu.h"

namespace gradus::nn {

// #region act-elu
Tensor formula::elu(const Tensor& x, double alpha) { return where(x > 0, x, alpha * expm1(lower_branch(x))); }
// #endregion act-elu

// #region act-celu
Tensor formula::celu(const Tensor& x, double alpha) { return where(x > 0, x, alpha * expm1(lower_branch(x) / alpha)); }
// #endregion act-celu

// #region act-selu
Tensor formula::selu(const Tensor& x) { return act::kSeluScale * elu(x, act::kSeluAlpha); }
// #endregion act-selu

namespace {

using namespace curve;

// #region act-elu.kernel
struct EluCurve {
  double alpha;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::exp;
    using std::expm1;
    const V a = splat<V>(alpha);
    return {select(x > V(0), x, a * expm1(x)), select(x > V(0), V(1), a * exp(x))};
  }
};
// #endregion act-elu.kernel

// #region act-celu.kernel
struct CeluCurve {
  double alpha;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::exp;
    using std::expm1;
    const V a = splat<V>(alpha);
    return {select(x > V(0), x, a * expm1(x / a)), select(x > V(0), V(1), exp(x / a))};
  }
};
// #endregion act-celu.kernel

// #region act-selu.kernel
struct SeluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V scale = splat<V>(act::kSeluScale);
    const auto [value, derivative] = EluCurve{act::kSeluAlpha}(x);
    return {scale * value, scale * derivative};
  }
};
// #endregion act-selu.kernel

}  // namespace

Activation act::elu(double alpha) {
  check_range("alpha", alpha, range::not_negative);
  return {"elu", "ELU", formula::elu, curve_kernels<EluCurve>(), alpha};
}

Activation act::celu(double alpha) {
  check_range("alpha", alpha, range::positive);
  return {"celu", "CELU", formula::celu, curve_kernels<CeluCurve>(), alpha};
}

constinit const Activation act::selu{"selu", "SELU", formula::selu, curve_kernels<SeluCurve>()};

}  // namespace gradus::nn
