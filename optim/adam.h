// Adam: adaptive moments (Kingma and Ba, 2015), and AdamW, the same with decoupled weight decay (Loshchilov and Hutter, 2019).
//
//   m ← β₁ m + (1 - β₁) g        first moment: a running mean of the gradient g
//   v ← β₂ v + (1 - β₂) g²       second moment
//   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)      both start at 0; this undoes the bias
//   θ ← θ - lr m̂ / (√v̂ + ε)
//
// The decay λ of Adam acts through the gradient, L2: g ← g + λ θ comes first. That of AdamW acts on θ itself: the step begins at
// θ - lr λ θ in place of θ.
//
// t counts the optimizer's steps, not the parameter's: a first gradient that comes late is hardly corrected. The defaults
// are Adam's paper's, and for AdamW PyTorch's, whose λ acts on gains and biases, too. Language models often have β₂ = 0.95 (Brown
// et al., 2020).
//
// AMSGrad, an option, divides by the largest v so far, so that no value's step grows because its gradients shrink
// (Reddi, Kale and Kumar, 2018). As in PyTorch, the maximum is of v before the correction:
//
//   v̄ ← max(v̄, v),   v̂ = v̄ / (1 - β₂ᵗ)
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

// The constants of one step of a parameter.
struct AdamStep {
  double lr;
  double l2 = 0;     // Adam's λ
  double decay = 0;  // AdamW's λ
  double beta1, beta2, eps;
  bool eps_before_correction = false;
  int64_t t;  // the number of this step, from 1
};

namespace formula {
// Changes θ, m, v and, where it is defined, v̄ in place; θ has a gradient. All have one shape and one dtype.
void adam(Tensor& theta, Tensor& m, Tensor& v, const AdamStep& step, Tensor v_bar = {});
}  // namespace formula
namespace fast {  // adam_kernel.cpp: the same in one pass over the numbers
void adam(Tensor& theta, Tensor& m, Tensor& v, const AdamStep& step, Tensor v_bar = {});
}
// By one of the two. ShapeError unless all have one shape, DTypeError unless f32 or f64.
void adam(Tensor& theta, Tensor& m, Tensor& v, const AdamStep& step, Tensor v_bar = {});

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;             // λ
  bool eps_before_correction = false;  // (√v + ε) / √(1 - β₂ᵗ), the form of the paper's section 2, instead of √v̂ + ε
  bool amsgrad = false;                // divide by the largest v so far?
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

// ValueError, beginning with `op`, unless 0 <= β₁ < 1 and 0 <= β₂ < 1: for all that have these two.
void check_betas(double beta1, double beta2, OpName op = {});

}  // namespace gradus::optim
