// AdamW: Adam with decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
//
//   m ← β₁ m + (1 - β₁) g            first moment: a running mean of the gradient g
//   v ← β₂ v + (1 - β₂) g²           second moment
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)      both start at 0; this undoes the bias
//   θ ← θ - lr λ θ - lr m̂ / (√v̂ + ε)           the decay λ acts on θ itself, not through g
//
// The defaults are PyTorch's, whose λ acts on gains and biases, too.
#pragma once

#include "optim/adam.h"

namespace gradus::optim {

struct AdamWOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;          // λ
  bool eps_before_correction = false;  // this and amsgrad: see AdamOptions
  bool amsgrad = false;
};

class AdamW : public Adam {
 public:
  // ValueError unless 0 <= β < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit AdamW(ParameterGroups parameters, AdamWOptions options = {});
};

}  // namespace gradus::optim
