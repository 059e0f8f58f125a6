// RAdam: Adam that divides by √v only once v rests on enough gradients: a warm-up that follows from β₂ (Liu et al., 2020).
//
//   g ← g + λ θ
//   m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²
//   m̂ = m / (1 - β₁ᵗ)
//   ρ∞ = 2 / (1 - β₂) - 1,   ρ = ρ∞ - 2 t β₂ᵗ / (1 - β₂ᵗ)      how many gradients v is a mean of: 1 at first, at last ρ∞
//   ρ <= 5:   θ ← θ - lr m̂                                     as momentum
//   ρ > 5:    θ ← θ - lr r √(1 - β₂ᵗ) m̂ / (√v + ε)             as Adam, by the rectification
//             r = √((ρ - 4) (ρ - 2) ρ∞ / ((ρ∞ - 4) (ρ∞ - 2) ρ))   which grows to 1
//
// t counts the steps from 1. Rule and defaults are PyTorch's; the paper's threshold is 4, and it has no ε.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct RAdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double threshold = 5;     // ρ up to which v is not trusted; r needs at least 4
  double weight_decay = 0;  // λ
};

class RAdam : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1, ε > 0 (for f32, ε >= 2⁻¹²⁶) and threshold >= 4.
  explicit RAdam(ParameterGroups parameters, RAdamOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  RAdamOptions options_;
  Tensors m_, v_;
};

}  // namespace gradus::optim
