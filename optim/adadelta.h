// Adadelta: the step has the unit of the parameter, for it is measured by the steps before (Zeiler, 2012).
//
//   g ← g + λ θ
//   v ← ρ v + (1 - ρ) g²
//   Δ = √(s + ε) / √(v + ε) g        where g is not small, the first step is √ε / √(1 - ρ) long
//   s ← ρ s + (1 - ρ) Δ²
//   θ ← θ - lr Δ
//
// lr = 1 is the paper's rule. The defaults are PyTorch's; the paper's experiments have ρ = 0.95.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct AdadeltaOptions {
  double lr = 1;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0;  // λ
};

class Adadelta : public Optimizer {
 public:
  // ValueError unless 0 <= ρ < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit Adadelta(ParameterGroups parameters, AdadeltaOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  AdadeltaOptions options_;
  Tensors v_;
  Tensors steps_squared_;  // s
};

}  // namespace gradus::optim
