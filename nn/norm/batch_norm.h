// Batch norm: each channel centred and scaled by its mean and variance over the batch (Ioffe and Szegedy, 2015).
#pragma once

#include "nn/norm/channel_norm.h"

namespace gradus::nn {

Axes batch_norm_axes(int rank);  // all but axis 1

namespace formula {
// In training: by the batch's mean and biased variance.
Tensor batch_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps);

// What training collects of every batch, [C] each, the variance unbiased; eval normalises by these.
struct RunningValues {
  Tensor mean, variance;
};
RunningValues batch_norm_running(const RunningValues& before, const Tensor& x, double momentum);
Tensor batch_norm_eval(const Tensor& x, const RunningValues& running, const Tensor& gain, const Tensor& bias,
                       double eps);
}

// y = (x - μ) / √(σ² + ε) ⊙ γ + β, μ and σ² (biased) of each channel over all samples and positions: x [N, C, …], γ and
// β [C] or undefined (ShapeError). Gradients as in layer_norm, its rows being the channels. A channel with one value
// gives β. Samples mix: y and dL/dx of one depend on all.
Tensor batch_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

using BatchNormOptions = ChannelNormOptions;

class BatchNorm : public ChannelNorm {
 protected:
  using ChannelNorm::ChannelNorm;
  Tensor apply(const Tensor& x) const override { return batch_norm(x, gain, bias, eps()); }
  Axes averaged_axes(int rank) const override { return batch_norm_axes(rank); }
};

class BatchNorm1d : public BatchNorm {
 public:
  explicit BatchNorm1d(int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm("BatchNorm1d", channels, options, {2, 3, "[N, C] or [N, C, L]"}) {}
};

class BatchNorm2d : public BatchNorm {
 public:
  explicit BatchNorm2d(int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm("BatchNorm2d", channels, options, {4, 4, "[N, C, H, W]"}) {}
};

}  // namespace gradus::nn
