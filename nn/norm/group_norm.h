// Group norm: each group of channels of each sample by its own mean and variance (Wu and He, 2018).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain, const Tensor& bias, double eps);
}

// The C channels are cut into `groups` of neighbours, of which each sample has a mean μ and a biased variance σ², over all
// positions:
//   y = (x - μ) / √(σ² + ε) ⊙ γ + β
// x [N, C, …], γ and β [C] or undefined. ShapeError otherwise, or unless `groups` divides C. The gradients are those of
// layer_norm with a row for each sample and group. Without γ and β, one group is layer norm over (C, …), and C groups are
// instance norm.
Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain = {}, const Tensor& bias = {},
                  double eps = 1e-5);

struct GroupNormOptions {
  double eps = 1e-5;
  bool affine = true;  // γ and β
};

// group_norm of x [N, channels, …] with trained γ and β.
class GroupNorm : public Layer {
 public:
  // ValueError unless both are positive, `groups` divides `channels`, and eps >= 0.
  GroupNorm(int64_t groups, int64_t channels, GroupNormOptions options = {});

  void members(Members& m) override;
  std::string describe() const override;

  Parameter gain, bias;  // γ [C], starts at 1, and β [C], starts at 0; undefined without `affine`

 private:
  // ValueError if a group has one value, which has no variance.
  Tensor forward(const Tensor& x) override;

  int64_t groups_, channels_;
  double eps_;
};

}  // namespace gradus::nn
