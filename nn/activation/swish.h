// Swish and its kin: x times a gate made of x itself.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor swish(const Tensor& x, const Tensor& beta);
Tensor silu(const Tensor& x);
Tensor mish(const Tensor& x);
Tensor hardswish(const Tensor& x);
}  // namespace formula

// y = x σ(βx)      dy/dx = σ(βx) + βx σ'(βx)      dL/dβ = Σ g ⊙ x² σ'(βx), where σ' = σ(1 - σ)
// β → 0 gives x/2, β → ∞ gives ReLU; for β = 1 the minimum is -0.278, at x = -1.278. β a number, or a tensor of shape []
// that is learned (ShapeError). (Ramachandran, Zoph and Le, 2017)
Tensor swish(const Tensor& x, double beta);
Tensor swish(const Tensor& x, const Tensor& beta);

struct SwishOptions {
  double beta = 1;
  bool learned = false;  // β is a parameter, which starts there
};
class Swish : public Layer {
 public:
  explicit Swish(SwishOptions options = {});

  Tensor forward(const Tensor& x) override { return beta.defined() ? swish(x, beta) : swish(x, fixed_); }
  void members(Members& m) override;
  std::string describe() const override { return beta.defined() ? "Swish(learned)" : fmt::format("Swish({})", fixed_); }

  Parameter beta;  // β [], undefined when fixed

 private:
  double fixed_;
};

// y = x σ(x): Swish with β = 1      dy/dx = σ(x)(1 + x(1 - σ(x)))      (Hendrycks and Gimpel, 2016; Elfwing et al., 2018)
Tensor silu(const Tensor& x);

class SiLU : public Activation {
 public:
  SiLU() : Activation("SiLU", silu) {}
};

// y = x t, t = tanh(log(1 + e^x))      dy/dx = t + x (1 - t²) σ(x)      (Misra, 2019)
Tensor mish(const Tensor& x);

class Mish : public Activation {
 public:
  Mish() : Activation("Mish", mish) {}
};

// y = x h, h = min(max(0, x + 3), 6) / 6      dy/dx = h + x [-3 < x < 3] / 6      (Howard et al., 2019)
// At the kinks h' = 0, so that dy/dx is 0 at -3 and 1 at 3.
Tensor hardswish(const Tensor& x);

class Hardswish : public Activation {
 public:
  Hardswish() : Activation("Hardswish", hardswish) {}
};

}  // namespace gradus::nn
