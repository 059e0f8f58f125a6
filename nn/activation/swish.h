// Swish and its kin: x times a gate made of x itself.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor swish(const Tensor& x, const Tensor& beta);
Tensor silu(const Tensor& x);
Tensor quick_gelu(const Tensor& x);
Tensor mish(const Tensor& x);
}  // namespace formula

namespace act {

// y = x σ(βx)      dy/dx = σ(βx) + βx σ'(βx), where σ' = σ(1 - σ)
// β → 0 gives x/2, β → ∞ gives ReLU; for β = 1 the minimum is -0.278, at x = -1.278.
// ValueError unless β is finite. (Ramachandran, Zoph and Le, 2017)
Activation swish(double beta);

// y = x σ(x): Swish with β = 1      dy/dx = σ(x)(1 + x(1 - σ(x)))
// (Hendrycks and Gimpel, 2016; Elfwing, Uchibe and Doya, 2018)
extern const Activation silu;

// y = x σ(1.702x): Swish with β = 1.702      dy/dx = σ(1.702x)(1 + 1.702x(1 - σ(1.702x)))
// A cheap approximation of gelu, from which it differs by at most 2.034e-2, at |x| = 2.270. (Hendrycks and Gimpel, 2016)
extern const Activation quick_gelu;

// y = x t, t = tanh(log(1 + e^x))      dy/dx = t + x (1 - t²) σ(x)
// (Misra, 2019)
extern const Activation mish;

}  // namespace act

// act::swish with a learned β of shape [] (ShapeError). With g = dL/dy and σ' = σ(1 - σ):
//   dL/dβ = Σ g ⊙ x² σ'(βx)
Tensor learned_swish(const Tensor& x, const Tensor& beta);

// learned_swish as a layer.
class Swish : public Layer {
 public:
  explicit Swish(double beta_at_first = 1);  // ValueError unless it is finite

  void members(Members& m) override { m.parameter("beta", beta, Role::other); }
  std::string describe() const override { return "Swish(learned)"; }

  Parameter beta;  // β []

 private:
  Tensor forward(const Tensor& x) override { return learned_swish(x, beta); }
};

}  // namespace gradus::nn
