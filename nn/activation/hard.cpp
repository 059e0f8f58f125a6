#include "nn/activation/hard.h"

#include "core/options/range.h"
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

// #region act-hardtanh
Tensor formula::hardtanh(const Tensor& x, double limit) { return masked_fill(masked_fill(x, x <= -limit, -limit), x >= limit, limit); }
// #endregion act-hardtanh

// #region act-softshrink
Tensor formula::softshrink(const Tensor& x, double threshold) {
  const Tensor moved = where(x > 0, x - threshold, x + threshold);
  return masked_fill(moved, abs(x) <= threshold, 0);
}
// #endregion act-softshrink

// #region act-hardshrink
Tensor formula::hardshrink(const Tensor& x, double threshold) { return masked_fill(x, abs(x) <= threshold, 0); }
// #endregion act-hardshrink

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

// #region act-hardtanh.kernel
struct HardtanhCurve {
  double limit;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V end = splat<V>(limit);
    return {select(x <= -end, -end, select(x >= end, end, x)), select(x <= -end, V(0), select(x >= end, V(0), V(1)))};
  }
};
// #endregion act-hardtanh.kernel

// #region act-softshrink.kernel
struct SoftshrinkCurve {
  double threshold;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    const V step = splat<V>(threshold), size = abs(x);
    return {select(size <= step, V(0), select(x > V(0), x - step, x + step)), select(size <= step, V(0), V(1))};
  }
};
// #endregion act-softshrink.kernel

// #region act-hardshrink.kernel
struct HardshrinkCurve {
  double threshold;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    const V step = splat<V>(threshold), size = abs(x);
    return {select(size <= step, V(0), x), select(size <= step, V(0), V(1))};
  }
};
// #endregion act-hardshrink.kernel

}  // namespace

constinit const Activation act::relu6{"relu6", "ReLU6", formula::relu6, curve_kernels<Relu6Curve>()};
constinit const Activation act::hardsigmoid{"hardsigmoid", "Hardsigmoid", formula::hardsigmoid, curve_kernels<HardsigmoidCurve>()};
constinit const Activation act::hardswish{"hardswish", "Hardswish", formula::hardswish, curve_kernels<HardswishCurve>()};

Activation act::hardtanh(double limit) {
  check_range("the limit", limit, range::positive);
  return {"hardtanh", "Hardtanh", formula::hardtanh, curve_kernels<HardtanhCurve>(), limit};
}

Activation act::softshrink(double threshold) {
  check_range("the threshold", threshold, range::not_negative);
  return {"softshrink", "Softshrink", formula::softshrink, curve_kernels<SoftshrinkCurve>(), threshold};
}

Activation act::hardshrink(double threshold) {
  check_range("the threshold", threshold, range::not_negative);
  return {"hardshrink", "Hardshrink", formula::hardshrink, curve_kernels<HardshrinkCurve>(), threshold};
}

}  // namespace gradus::nn
