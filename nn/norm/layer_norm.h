// Layer norm: each sample centred and scaled by its own mean and variance (Ba, Kiros and Hinton, 2016).
#pragma once

#include "core/autograd/fused.h"
#include "nn/module.h"

namespace gradus::nn {

namespace formula {
// x̂ = (x - μ) / √(σ² + ε), μ the mean and σ² the mean squared deviation over `axes`: what layer, batch, instance and
// group norm have in common.
Tensor normalize(const Tensor& x, const Axes& axes, double eps);

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain, const Tensor& bias, double eps);
}  // namespace formula
namespace fast {  // layer_norm_kernel.cpp
// Its inputs are x [..., normalized_shape], of n values a row, and γ and β of that shape or undefined.
std::unique_ptr<FastPath> layer_norm(int64_t n, double eps);
}  // namespace fast

// Each row, the n values of x along its last axes, of shape `normalized_shape`, by its own mean μ and biased variance σ²:
//   y = x̂ ⊙ γ + β      x̂ = (x - μ) / √(σ² + ε)
// With g = dL/dy, ĝ = g ⊙ γ, and sums over the rows:
//   dL/dx = (ĝ - mean(ĝ) - x̂ mean(ĝ ⊙ x̂)) / √(σ² + ε)      dL/dγ = Σ g ⊙ x̂      dL/dβ = Σ g
// x [..., normalized_shape]; γ and β of shape normalized_shape, or undefined. ShapeError otherwise.
//
// A constant row, as every row of one value is, gives β, or NaN if ε = 0 or Σ x is beyond the largest number. A row of two values gives x̂ = ±1 as ε → 0. A row
// whose Σ (x - μ)² is beyond the largest number gives β and has no gradient: if all |x - μ| are equal, that is so above
// 1.84e19 / √n in f32.
Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain = {}, const Tensor& bias = {},
                  double eps = 1e-5);

struct LayerNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool bias = true;
};

// layer_norm with trained γ and β.
class LayerNorm : public Layer {
 public:
  // Over the last axes of x, which must be `normalized_shape`: {C} for a token's features, {C, H, W} for an image.
  // ValueError unless it has one size or more, all positive, and eps >= 0.
  explicit LayerNorm(const Shape& normalized_shape, LayerNormOptions options = {});
  explicit LayerNorm(int64_t width, LayerNormOptions options = {});  // over the last axis alone: normalized_shape {width}

  void members(Members& m) override;
  bool mixes_tokens() const override { return normalized_shape_.rank() > 1; }
  std::string describe() const override;

  Parameter gain, bias;  // γ, starts at 1, and β, starts at 0, of shape normalized_shape; undefined if not asked for

 private:
  Tensor forward(const Tensor& x) override;

  Shape normalized_shape_;
  double eps_;
};

// Layer norm of images over their channels alone, each pixel apart (as in ConvNeXt: Liu et al., 2022): x [N, C, …].
// LayerNorm({C, H, W}), the other layer norm of images, pools all pixels.
class ChannelLayerNorm : public Layer {
 public:
  explicit ChannelLayerNorm(int64_t channels, LayerNormOptions options = {});  // ValueError unless channels > 0 and eps >= 0

  void members(Members& m) override { m.child("norm", norm_); }

 private:
  Tensor forward(const Tensor& x) override;

  LayerNorm norm_;
};

}  // namespace gradus::nn
