#include "nn/activation/relu.h"

namespace gradus::nn {

using kernels::Curve;

// #region act-relu
Tensor formula::relu(const Tensor& x) { return masked_fill(x, x <= 0, 0); }
// #endregion act-relu

// #region act-leaky-relu
Tensor formula::leaky_relu(const Tensor& x, double slope) { return where(x > 0, x, slope * x); }
// #endregion act-leaky-relu

// #region act-prelu
Tensor formula::prelu(const Tensor& x, const Tensor& slope) { return where(x > 0, x, slope * lower_branch(x)); }
// #endregion act-prelu

// #region act-relu2
Tensor formula::relu2(const Tensor& x) { return square(gradus::relu(x)); }
// #endregion act-relu2

// #region act-relu6
Tensor formula::relu6(const Tensor& x) { return masked_fill(gradus::relu(x), x >= 6, 6); }
// #endregion act-relu6

Tensor leaky_relu(const Tensor& x, double slope) {
  check<ValueError>(slope >= 0, "leaky_relu: the slope must not be negative, got {}", slope);
  return elementwise("leaky_relu", {Curve::Kind::leaky_relu, slope}, x,
                     [slope](const Tensor& v) { return formula::leaky_relu(v, slope); });
}

LeakyReLU::LeakyReLU(LeakyReLUOptions o)
    : Activation(fmt::format("LeakyReLU({})", o.slope), [o](const Tensor& x) { return leaky_relu(x, o.slope); }) {
  check<ValueError>(o.slope >= 0, "LeakyReLU: the slope must not be negative, got {}", o.slope);
}

Tensor prelu(const Tensor& x, const Tensor& slope) {
  check<ShapeError>(broadcasts_to(slope.shape(), x.shape()), "prelu: the slope's shape {} does not broadcast to x's {}",
                    slope.shape(), x.shape());
  return formula::prelu(x, slope);
}

PReLU::PReLU(PReLUOptions o) : axis_(o.axis) {
  check<ValueError>(o.channels > 0, "PReLU: needs a positive number of channels, got {}", o.channels);
  slope = full({o.channels}, o.slope);
}

Tensor PReLU::forward(const Tensor& x) {
  if (slope.size(0) == 1) return prelu(x, slope);
  const int axis = axis_ < 0 ? axis_ + x.rank() : axis_;
  check<ShapeError>(0 <= axis && axis < x.rank() && x.size(axis) == slope.size(0),
                    "PReLU: expected {} channels along axis {}, got shape {}", slope.size(0), axis_, x.shape());
  std::vector<int64_t> aligned(static_cast<std::size_t>(x.rank() - axis), 1);  // α stands at the channels' axis
  aligned[0] = slope.size(0);
  return prelu(x, reshape(slope, Shape(aligned)));
}

Tensor relu2(const Tensor& x) { return elementwise("relu2", {Curve::Kind::relu2}, x, formula::relu2); }
Tensor relu6(const Tensor& x) { return elementwise("relu6", {Curve::Kind::relu6}, x, formula::relu6); }

}  // namespace gradus::nn
