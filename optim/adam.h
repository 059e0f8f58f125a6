// Adam: adaptive moments, with weight decay through the gradient, L2 (Kingma and Ba, 2015).
//
//   g ← g + λ θ
//   m ← β₁ m + (1 - β₁) g        first moment: a running mean of the gradient
//   v ← β₂ v + (1 - β₂) g²       second moment
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)      both start at 0; this undoes the bias
//   θ ← θ - lr m̂ / (√v̂ + ε)
//
// t counts the optimizer's steps, not the parameter's: a first gradient that comes late is hardly corrected. The defaults
// are the paper's; language models often have β₂ = 0.95 (Brown et al., 2020).
//
// AMSGrad, an option, divides by the largest v so far, so that no value's step grows because its gradients shrink
// (Reddi, Kale and Kumar, 2018). As in PyTorch, the maximum is of v before the correction:
//
//   v̄ ← max(v̄, v),   v̂ = v̄ / (1 - β₂ᵗ)
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // λ
  bool eps_before_correction = false;  // (√v + ε) / √(1 - β₂ᵗ), the form of the paper's section 2, instead of √v̂ + ε
  bool amsgrad = false;  // divide by the largest v so far?
};

class Adam : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit Adam(ParameterGroups parameters, AdamOptions options = {});

 protected:
  // How λ acts: through the gradient, or on θ itself, as in AdamW. `name` is what errors call the optimizer.
  enum class Decay { coupled, decoupled };
  Adam(const char* name, ParameterGroups parameters, const AdamOptions& options, Decay decay);

  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

 private:
  AdamOptions options_;
  Decay decay_;
  Tensors m_, v_;
  Tensors largest_;  // v̄, of AMSGrad
};

// ValueError, beginning with `optimizer`, unless 0 <= β₁ < 1 and 0 <= β₂ < 1: for all that have these two.
void check_betas(double beta1, double beta2, OpName op = {});

}  // namespace gradus::optim
