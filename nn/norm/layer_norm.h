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
// Inputs x [..., n values], γ and β of those n values or undefined.
std::unique_ptr<FastPath> layer_norm(int64_t n, double eps);
}  // namespace fast

// y = x̂ ⊙ γ + β, x̂ = (x - μ) / √(σ² + ε), over the last axes of x, which are `normalized_shape`; n values a row.
// With g = dL/dy and ĝ = g ⊙ γ:
//   dL/dx = (ĝ - mean(ĝ) - x̂ mean(ĝ ⊙ x̂)) / √(σ² + ε)      dL/dγ = Σ g ⊙ x̂      dL/dβ = Σ g      over the rows
// A constant row, as every row of one value is, gives β, or, without ε, NaN. A row of two gives x̂ = ±1 as ε → 0.
// A row with Σ (x - μ)² beyond the largest number, so with equal |x - μ| above 1.84e19 / √n in f32, gives β, no gradient.
// x [..., normalized_shape]; γ, β of shape normalized_shape, or undefined for none. ShapeError otherwise.
Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& gain = {}, const Tensor& bias = {},
                  double eps = 1e-5);

struct LayerNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool bias = true;
};

class LayerNorm : public Layer {
 public:
  // Over the last axes, which must be `normalized_shape`: {C} for a token's features, {C, H, W} for an image.
  // ValueError unless there is one size or more, all positive, and eps >= 0.
  explicit LayerNorm(const Shape& normalized_shape, LayerNormOptions options = {});

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  bool mixes_tokens() const override { return normalized_shape_.rank() > 1; }
  std::string describe() const override;

  Parameter gain, bias;  // γ starts at 1, β at 0; undefined without

 private:
  Shape normalized_shape_;
  double eps_;
};

// Layer norm of images over their channels alone, each pixel apart (as in ConvNeXt: Liu et al., 2022): x [N, C, …].
// LayerNorm({C, H, W}), the other layer norm of images, pools all pixels.
class ChannelLayerNorm : public Layer {
 public:
  explicit ChannelLayerNorm(int64_t channels, LayerNormOptions options = {}) : norm_({channels}, options) {}

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override { m.child("norm", norm_); }

 private:
  LayerNorm norm_;
};

}  // namespace gradus::nn
