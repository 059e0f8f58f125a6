// Batch norm: each channel centred and scaled by its mean and variance over the batch (Ioffe and Szegedy, 2015).
#pragma once

#include "nn/norm/channel_norm.h"

namespace gradus::nn {

Axes batch_norm_axes(int rank);  // those that it averages over: all but axis 1

namespace formula {
// The norm in training, by the mean and the biased variance of the batch.
Tensor batch_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps);

// The running mean and unbiased variance, [C] each, and both after one more batch x; batch_norm_eval normalises by them.
struct RunningValues { Tensor mean, variance; };
RunningValues batch_norm_running(const RunningValues& before, const Tensor& x, double momentum);
Tensor batch_norm_eval(const Tensor& x, const RunningValues& running, const Tensor& gain, const Tensor& bias, double eps);
}  // namespace formula

// The norm in training: each channel by its own mean μ and biased variance σ² over all samples and positions:
//   y = (x - μ) / √(σ² + ε) ⊙ γ + β
// x [N, C, …], γ and β [C] or undefined. The gradients are layer_norm's, with a row for each channel. A channel of one value
// gives β. Samples mix: y and dL/dx of one depend on all. ShapeError otherwise, or if x is empty.
Tensor batch_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

using BatchNormOptions = ChannelNormOptions;

// batch_norm with trained γ and β, and running statistics for eval: what BatchNorm1d and BatchNorm2d share.
class BatchNorm : public ChannelNorm {
 protected:
  using ChannelNorm::ChannelNorm;
  Tensor apply(const Tensor& x) const override { return batch_norm(x, gain, bias, eps()); }
  Axes averaged_axes(int rank) const override { return batch_norm_axes(rank); }
};

// Batch norm of samples [N, C] or sequences [N, C, L].
class BatchNorm1d : public BatchNorm {
 public:
  explicit BatchNorm1d(int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm("BatchNorm1d", channels, options, {2, 3, "[N, C] or [N, C, L]"}) {}
};

// Batch norm of images [N, C, H, W].
class BatchNorm2d : public BatchNorm {
 public:
  explicit BatchNorm2d(int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm("BatchNorm2d", channels, options, {4, 4, "[N, C, H, W]"}) {}
};

}  // namespace gradus::nn
