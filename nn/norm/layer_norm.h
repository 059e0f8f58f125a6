// Layer norm: each row centred by its own mean and divided by its own standard deviation (Ba, Kiros and Hinton, 2016).
#pragma once

#include "core/autograd/fused.h"
#include "nn/norm/affine.h"

namespace gradus::nn {

namespace formula {
// x̂ = (x - μ) / √(σ² + ε), μ the mean and σ² the mean squared deviation over `axes`: of layer, batch, instance and group norm.
Tensor normalize(const Tensor& x, const Axes& axes, double eps);

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain, const Tensor& bias, double eps);
}  // namespace formula
namespace fast {  // layer_norm_kernel.cpp
// Its inputs are x [..., normalized_shape], of n values a row, and γ and β of that shape or undefined.
std::unique_ptr<FastPath> layer_norm(int64_t n, double eps);
}  // namespace fast

// Each row, the n values of x along its last axes, of shape `normalized_shape`, by its own mean μ and biased variance σ²:
//   y = x̂ ⊙ γ + β      x̂ = (x - μ) / √(σ² + ε)
// x [..., normalized_shape]; γ and β of shape normalized_shape, or undefined. ShapeError otherwise.
//
// A constant row gives β, or NaN if ε = 0. In a row of two values x̂ → ±1 as ε → 0. Where Σ x overflows, y is NaN; where Σ (x - μ)²
// does (in f32, for equal |x - μ|, from 1.84e19 / √n on), y is β and dL/dx 0.
Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

struct LayerNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool bias = true;
};

// layer_norm with trained γ and β of shape normalized_shape.
class LayerNorm : public AffineNorm {
 public:
  // Over the last axes of x, which must be `normalized_shape`: {C} for a token's features, {C, H, W} for an image.
  // ValueError unless it has one size or more, all positive, and eps >= 0.
  explicit LayerNorm(const Shape& normalized_shape, LayerNormOptions options = {});
  explicit LayerNorm(int64_t width, LayerNormOptions options = {});  // over the last axis alone: normalized_shape {width}

  bool mixes_tokens() const override { return normalized_shape_.rank() > 1; }
  std::string describe() const override;

 private:
  Tensor forward(const Tensor& x) override;

  Shape normalized_shape_;
  double eps_;
};

// Layer norm of images x [N, C, …] over their channels, each pixel by itself (as in ConvNeXt: Liu et al., 2022).
// LayerNorm({C, H, W}), the other layer norm of images, takes all pixels together.
class ChannelLayerNorm : public Layer {
 public:
  explicit ChannelLayerNorm(int64_t channels, LayerNormOptions options = {});  // ValueError unless channels > 0 and eps >= 0

  void members(Members& m) override { m.child("norm", norm_); }

 private:
  Tensor forward(const Tensor& x) override;

  LayerNorm norm_;
};

}  // namespace gradus::nn
