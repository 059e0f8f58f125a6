#include "nn/norm/layer_norm.h"

#include <algorithm>

#include "core/options/range.h"

namespace gradus::nn {
namespace {

// -k … -1 for k normalised axes.
Axes last_axes(const Shape& normalized_shape) {
  Axes axes;
  for (int axis = -normalized_shape.rank(); axis < 0; ++axis) axes.push_back(axis);
  return axes;
}

bool ends_with(const Shape& shape, const Shape& tail) {
  return shape.rank() >= tail.rank() && shape.slice(shape.rank() - tail.rank(), shape.rank()) == tail;
}

}  // namespace

// #region norm-layer
// #region norm-nobias
Tensor formula::normalize(const Tensor& x, const Axes& axes, double eps) {
  const Tensor deviation = centered(x, axes);
  const Tensor variance = mean(square(deviation), axes, true);
  return deviation / sqrt(variance + eps);
}

// y = x̂ ⊙ γ + β, x̂ = (x - μ) / r, r = √(σ² + ε)
// dL/dx = (ĝ - mean ĝ - x̂ ⊙ mean(ĝ ⊙ x̂)) / r, ĝ = g ⊙ γ, g = dL/dy
// dL/dγ = Σ g ⊙ x̂ over the rows      dL/dβ = Σ g over the rows
Tensor formula::layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain, const Tensor& bias, double eps) {
  return affine(normalize(x, last_axes(normalized_shape), eps), gain, bias);
}
// #endregion norm-nobias
// #endregion norm-layer

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain, const Tensor& bias, double eps) {
  check<ShapeError>(normalized_shape.rank() > 0 && normalized_shape.numel() > 0,
                    "layer_norm: needs at least one value to normalise, got normalized_shape {}", normalized_shape);
  check_defined({{"x", x}});
  check<ShapeError>(ends_with(x.shape(), normalized_shape),
                    "layer_norm: normalized_shape {} must be the last axes of x, which has shape {}", normalized_shape, x.shape());
  check_affine(x, normalized_shape, gain, bias);
  check_eps(eps);
  return fused(
      "layer_norm", {x, gain, bias}, [=](const Tensors& in) { return formula::layer_norm(in[0], normalized_shape, in[1], in[2], eps); },
      fast::layer_norm(normalized_shape.numel(), eps));
}

LayerNorm::LayerNorm(int64_t width, LayerNormOptions options) : LayerNorm(Shape{check_size("the width", width)}, options) {}

LayerNorm::LayerNorm(const Shape& normalized_shape, LayerNormOptions options)
    : normalized_shape_(normalized_shape), eps_(check_eps(options.eps)) {
  const bool positive = std::all_of(normalized_shape.begin(), normalized_shape.end(), [](int64_t n) { return n > 0; });
  check<ValueError>(normalized_shape.rank() > 0 && positive, "LayerNorm: normalized_shape needs one size or more, all positive, got {}",
                    normalized_shape);
  make_affine(normalized_shape, options.gain, options.bias);
}

Tensor LayerNorm::forward(const Tensor& x) { return layer_norm(x, normalized_shape_, gain, bias, eps_); }

std::string LayerNorm::describe() const {
  return fmt::format("LayerNorm({}, eps {}{})", normalized_shape_, eps_, bias.defined() ? "" : ", no bias");
}

ChannelLayerNorm::ChannelLayerNorm(int64_t channels, LayerNormOptions options)
    : norm_(check_size("the number of channels", channels), {check_eps(options.eps), options.gain, options.bias}) {}

Tensor ChannelLayerNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() >= 2, "expected [N, C, ...], got {}", x.shape());
  return transpose(norm_(transpose(x, 1, -1)), 1, -1);
}

}  // namespace gradus::nn
