// Momentum: a heavy ball that rolls down the loss (Polyak, 1964).
//
//   g ← g + λ θ
//   u ← μ u + (1 - τ) g        the velocity: past gradients, each older one μ times as strong; u = g at first
//   θ ← θ - lr u               τ, the dampening, makes u a running mean when τ = μ
//
// The first step is the optimizer's, not the parameter's: a later first gradient gives u = (1 - τ) g.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct MomentumOptions {
  double lr = 1e-2;
  double momentum = 0.9;    // μ
  double dampening = 0;     // τ; it does not apply to the first step, which has no past to weigh against
  double weight_decay = 0;  // λ
};

class Momentum : public Optimizer {
 public:
  // ValueError unless 0 <= μ < 1 and 0 <= τ < 1.
  explicit Momentum(ParameterGroups parameters, MomentumOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  MomentumOptions options_;
  Tensors velocity_;  // u
};

}  // namespace gradus::optim
