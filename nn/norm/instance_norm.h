// Instance norm: each channel of each sample by its own mean and variance (Ulyanov, Vedaldi and Lempitsky, 2016).
#pragma once

#include "nn/norm/channel_norm.h"

namespace gradus::nn {

Axes instance_norm_axes(int rank);  // those that it averages over: all but 0 and 1

namespace formula {
Tensor instance_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps);
}

// Each channel of each sample by its own mean μ and biased variance σ² over all positions:
//   y = (x - μ) / √(σ² + ε) ⊙ γ + β
// x [N, C, L, …], γ and β [C] or undefined (ShapeError). The gradients are layer_norm's, with a row for each sample and channel.
Tensor instance_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

// instance_norm of sequences [N, C, L] or images [N, C, H, W].
class InstanceNorm : public ChannelNorm {
 public:
  // Usually without γ and β, and without running statistics, which would be the mean of those of the samples.
  explicit InstanceNorm(int64_t channels, const ChannelNormOptions& options = {.affine = false, .track = false})
      : ChannelNorm("InstanceNorm", channels, options, {3, 4, "[N, C, L] or [N, C, H, W]"}) {}

 private:
  Tensor apply(const Tensor& x) const override { return instance_norm(x, gain, bias, eps()); }
  Axes averaged_axes(int rank) const override { return instance_norm_axes(rank); }
};

}  // namespace gradus::nn
