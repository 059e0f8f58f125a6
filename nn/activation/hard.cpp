#include "nn/activation/hard.h"

#include "nn/activation/curve_kernels.h"

namespace gradus::nn {

// #region act-relu6
Tensor formula::relu6(const Tensor& x) { return masked_fill(gradus::relu(x), x >= 6, 6); }
// #endregion act-relu6

// #region act-hardsigmoid
Tensor formula::hardsigmoid(const Tensor& x) { return relu6(x + 3) / 6; }
// #endregion act-hardsigmoid

// #region act-hardswish
Tensor formula::hardswish(const Tensor& x) { return x * hardsigmoid(x); }
// #endregion act-hardswish

namespace {

using namespace curve;

// #region act-relu6.kernel
struct Relu6Curve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V r = select(x <= V(0), V(0), select(x >= V(6), V(6), x));
    return {r, select(x <= V(0), V(0), select(x >= V(6), V(0), V(1)))};
  }
};
// #endregion act-relu6.kernel

// #region act-hardsigmoid.kernel
struct HardsigmoidCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const auto [r, derivative] = Relu6Curve{}(x + V(3));
    return {r / V(6), derivative / V(6)};
  }
};
// #endregion act-hardsigmoid.kernel

// #region act-hardswish.kernel
struct HardswishCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const auto [h, derivative] = HardsigmoidCurve{}(x);
    return {strong_zero_product(x, h), h + strong_zero_product(x, derivative)};
  }
};
// #endregion act-hardswish.kernel

}  // namespace

constinit const Activation act::relu6{"relu6", "ReLU6", formula::relu6, curve_kernels<Relu6Curve>()};
constinit const Activation act::hardsigmoid{"hardsigmoid", "Hardsigmoid", formula::hardsigmoid, curve_kernels<HardsigmoidCurve>()};
constinit const Activation act::hardswish{"hardswish", "Hardswish", formula::hardswish, curve_kernels<HardswishCurve>()};

}  // namespace gradus::nn
