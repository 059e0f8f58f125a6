// NAdam: Adam with Nesterov's momentum: m is weighed by the next step's momentum (Dozat, 2016).
//
//   g ← g + λ θ
//   m ← β₁ m + (1 - β₁) g
//   v ← β₂ v + (1 - β₂) g²
//   μₜ = β₁ (1 - ½ 0.96^(t ψ))        the momentum grows from β₁/2 to β₁
//   m̂ = μₜ₊₁ m / (1 - μ₁ … μₜ₊₁) + (1 - μₜ) g / (1 - μ₁ … μₜ),   v̂ = v / (1 - β₂ᵗ)
//   θ ← θ - lr m̂ / (√v̂ + ε)
//
// Rule and defaults are PyTorch's; Dozat's running mean is m ← μₜ m + (1 - μₜ) g. As in Adam, t counts the optimizer's steps;
// the product of the μ counts those in which the parameter has a gradient.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct NAdamOptions {
  double lr = 2e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double momentum_decay = 4e-3;  // ψ: the missing half of the momentum shrinks by 0.96^ψ a step
  double weight_decay = 0;       // λ
};

class NAdam : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1, ε > 0 (for f32, ε >= 2⁻¹²⁶) and ψ > 0.
  explicit NAdam(ParameterGroups parameters, NAdamOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  double momentum(int64_t t) const;  // μₜ

  NAdamOptions options_;
  Tensors m_, v_;
  Tensors products_;  // μ₁ … μₜ, one f64 number per parameter
};

}  // namespace gradus::optim
