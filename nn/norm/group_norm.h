// Group norm: each group of channels of each sample by its own mean and variance (Wu and He, 2018).
#pragma once

#include "nn/norm/affine.h"

namespace gradus::nn {

namespace formula {
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain, const Tensor& bias, double eps);
}

// Each sample's mean μ and biased variance σ² over all positions of each of `groups` groups of neighbouring channels:
//   y = (x - μ) / √(σ² + ε) ⊙ γ + β
// x [N, C, …], γ and β [C] or undefined. The gradients are layer_norm's, with a row for each sample and group. Without γ and β,
// one group is layer norm over (C, …), and C groups are instance norm. ShapeError otherwise, or unless `groups` divides C.
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-5);

struct GroupNormOptions {
  double eps = 1e-5;
  bool affine = true;  // γ and β
};

// group_norm of x [N, channels, …] with trained γ and β [channels].
class GroupNorm : public AffineNorm {
 public:
  // ValueError unless both are positive, `groups` divides `channels`, and eps >= 0.
  GroupNorm(int64_t groups, int64_t channels, GroupNormOptions options = {});

  std::string describe() const override;

 private:
  Tensor forward(const Tensor& x) override;  // ValueError for groups of one value, which has no variance

  int64_t groups_, channels_;
  double eps_;
};

}  // namespace gradus::nn
