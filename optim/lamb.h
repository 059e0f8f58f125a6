// LAMB: AdamW whose step in each tensor is as long as the tensor, times lr: for large batches and large rates (You et
// al., 2020).
//
//   m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)
//   u = m̂ / (√v̂ + ε) + λ θ                 the decay is a part of the step
//   θ ← θ - lr (‖θ‖ / ‖u‖) u               the trust ratio ‖θ‖ / ‖u‖ is 1 where one of the norms is 0
//
// t counts the steps from 1. One tensor is what the paper calls a layer. Two details are as in the paper's algorithm, and
// not everywhere: m and v are corrected; without that, u of the first step weighs g √10 times as much against the decay, by
// the defaults. And ‖θ‖ is not clamped; authors who clamp it to 10 shorten the steps of all larger tensors.
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
