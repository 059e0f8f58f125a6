// Instance norm: each channel of each sample by its own mean and variance (Ulyanov, Vedaldi and Lempitsky, 2016).
#pragma once

#include "nn/norm/channel_norm.h"

namespace gradus::nn {

Axes instance_norm_axes(int rank);  // all but axes 0 and 1

namespace formula {
Tensor instance_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps);
}

// y = (x - μ) / √(σ² + ε) ⊙ γ + β, μ and σ² (biased) of each sample and channel over all positions: x [N, C, L, …], γ
// and β [C] or undefined (ShapeError). Gradients as in layer_norm, its rows being the channels of the samples.
Tensor instance_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

class InstanceNorm : public ChannelNorm {
 public:
  // By habit without γ and β and without running statistics; with them, those are the samples' mean.
  explicit InstanceNorm(int64_t channels, const ChannelNormOptions& options = {.affine = false, .track = false})
      : ChannelNorm("InstanceNorm", channels, options, {3, 4, "[N, C, L] or [N, C, H, W]"}) {}

 protected:
  Tensor apply(const Tensor& x) const override { return instance_norm(x, gain, bias, eps()); }
  Axes averaged_axes(int rank) const override { return instance_norm_axes(rank); }
};

}  // namespace gradus::nn
