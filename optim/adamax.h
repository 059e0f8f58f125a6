// Adamax: Adam with the largest gradient of late in place of the root of the mean square (Kingma and Ba, 2015, section 7).
//
//   g ← g + λ θ
//   m ← β₁ m + (1 - β₁) g
//   u ← max(β₂ u, |g| + ε)             the limit of the p-th moments' p-th roots for p → ∞; it has no bias to correct
//   θ ← θ - lr m / ((1 - β₁ᵗ) u)       no step is longer than lr (1 - β₁) / (1 - β₁/β₂): 1.009 lr, by the defaults
//
// t counts the steps from 1. Rule and defaults are PyTorch's. The paper has no ε: where every gradient was 0 it divides 0 by 0.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct AdamaxOptions {
  double lr = 2e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // λ
};

class Adamax : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit Adamax(ParameterGroups parameters, AdamaxOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  AdamaxOptions options_;
  Tensors m_;
  Tensors largest_;  // u
};

}  // namespace gradus::optim
