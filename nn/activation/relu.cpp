#include "nn/activation/relu.h"

#include "core/options/range.h"
#include "nn/activation/curve_kernels.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// #region act-relu
Tensor formula::relu(const Tensor& x) { return masked_fill(x, x <= 0, 0); }
// #endregion act-relu

// #region act-leaky-relu
Tensor formula::leaky_relu(const Tensor& x, double slope) { return where(x <= 0, slope * x, x); }
// #endregion act-leaky-relu

// #region act-prelu
Tensor formula::prelu(const Tensor& x, const Tensor& slope) { return where(x <= 0, slope * lower_branch(x), x); }
// #endregion act-prelu

// #region act-relu2
Tensor formula::relu2(const Tensor& x) { return square(gradus::relu(x)); }
// #endregion act-relu2

Tensor formula::lower_branch(const Tensor& x) { return masked_fill(x, x > 0, 0); }

namespace {

using namespace curve;

// #region act-relu.kernel
struct ReluCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const { return {select(x <= V(0), V(0), x), select(x <= V(0), V(0), V(1))}; }
};
// #endregion act-relu.kernel

// #region act-leaky-relu.kernel
struct LeakyReluCurve {
  double slope;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V a = splat<V>(slope);
    return {select(x <= V(0), strong_zero_product(x, a), x), select(x <= V(0), a, V(1))};
  }
};
// #endregion act-leaky-relu.kernel

// #region act-relu2.kernel
struct Relu2Curve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V r = select(x <= V(0), V(0), x);
    return {r * r, V(2) * r};
  }
};
// #endregion act-relu2.kernel

}  // namespace

constinit const Activation act::relu{"relu", "ReLU", gradus::relu, gate_kernel<ReluCurve>()};
constinit const Activation act::relu2{"relu2", "ReLU2", formula::relu2, curve_kernels<Relu2Curve>()};

Activation act::leaky_relu(double slope) {
  check_range("the slope", slope, range::not_negative);
  return {"leaky_relu", "LeakyReLU", formula::leaky_relu, curve_kernels<LeakyReluCurve>(), slope};
}

Tensor prelu(const Tensor& x, const Tensor& slope) {
  check_inputs({{"x", x}, {"slope", slope}});
  check<ShapeError>(broadcasts_to(slope.shape(), x.shape()), "prelu: the slope's shape {} does not broadcast to x's {}", slope.shape(),
                    x.shape());
  return formula::prelu(x, slope);
}

PReLU::PReLU(PReLUOptions o) : axis_(o.axis) {
  check_size("the number of channels", o.channels);
  slope = full({o.channels}, check_range("the slope", o.slope, range::finite));
}

Tensor PReLU::forward(const Tensor& x) {
  check<ShapeError>(slope.rank() == 1, "slope must have one axis, got shape {}", slope.shape());
  if (slope.size(0) == 1) return prelu(x, slope);
  const int axis = axis_ < 0 ? axis_ + x.rank() : axis_;
  check<ShapeError>(0 <= axis && axis < x.rank() && x.size(axis) == slope.size(0), "expected {} channels along axis {}, got shape {}",
                    slope.size(0), axis_, x.shape());
  std::vector<int64_t> aligned(static_cast<std::size_t>(x.rank() - axis), 1);  // α stands at the channels' axis
  aligned[0] = slope.size(0);
  return prelu(x, reshape(slope, Shape(aligned)));
}

}  // namespace gradus::nn
