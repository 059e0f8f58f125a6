// Group norm: groups of channels of each sample by their own mean and variance (Wu and He, 2018).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain, const Tensor& bias, double eps);
}

// y = (x - μ) / √(σ² + ε) ⊙ γ + β, μ and σ² (biased) of each sample and group of C / groups neighbouring channels,
// over all positions: x [N, C, …], γ and β [C] or undefined. ShapeError otherwise, or where groups do not divide C.
// Gradients as in layer_norm, its rows being the groups of the samples. Without γ and β, one group is layer norm over
// (C, …), and C groups are instance norm.
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain = {}, const Tensor& bias = {},
                  double eps = 1e-5);

struct GroupNormOptions {
  double eps = 1e-5;
  bool affine = true;
};

class GroupNorm : public Layer {
 public:
  // ValueError unless groups > 0 divide channels > 0 and eps >= 0.
  GroupNorm(int64_t groups, int64_t channels, GroupNormOptions options = {});

  // ValueError where a group has one value, which has no variance.
  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter gain, bias;  // γ [C], starts at 1, and β [C], starts at 0; undefined without

 private:
  int64_t groups_, channels_;
  double eps_;
};

}  // namespace gradus::nn
