// AdamW: Adam with decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
//
//   m ← β₁ m + (1 - β₁) g            first moment: a running mean of the gradient g
//   v ← β₂ v + (1 - β₂) g²           second moment
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)      both start at 0; this undoes the bias
//   θ ← θ - lr λ θ - lr m̂ / (√v̂ + ε)           the decay λ acts on θ itself, not through g
#pragma once

#include "optim/adam.h"

namespace gradus::optim {

using AdamWOptions = AdamOptions;

class AdamW : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1 and ε > 0.
  explicit AdamW(std::vector<ParameterGroup> groups, AdamWOptions options = {});

 protected:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

 private:
  AdamWOptions options_;
  Tensors first_, second_;  // m and v
};

}  // namespace gradus::optim
