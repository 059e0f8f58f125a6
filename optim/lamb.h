// LAMB: AdamW whose step in each tensor is lr times as long as the tensor: for large batches and rates (You et al., 2020).
//
//   m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)
//   u = m̂ / (√v̂ + ε) + λ θ                 the decay is part of the step
//   θ ← θ - lr (‖θ‖ / ‖u‖) u               the trust ratio ‖θ‖ / ‖u‖ is 1 where one of the norms is 0
//
// t counts the steps from 1; a tensor is the paper's layer. As in its algorithm, m and v are corrected, and ‖θ‖ is not clamped.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct LAMBOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-6;
  double weight_decay = 0.01;  // λ
};

class LAMB : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit LAMB(ParameterGroups parameters, LAMBOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  LAMBOptions options_;
  Tensors m_, v_;
};

}  // namespace gradus::optim
