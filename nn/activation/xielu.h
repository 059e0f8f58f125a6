// xIELU: a parabola to the right, an exponential to the left, both trained (Huang and Schlag, 2024).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
Tensor xielu(const Tensor& x, const Tensor& right, const Tensor& left, double beta);
}

// With u = max(0, x) and m = min(0, x):
//   y = α_p u² + α_n (e^m - 1 - m) + βx      dy/dx = x > 0 ? 2α_p x + β : α_n (e^x - 1) + β
//   dL/dα_p = Σ g ⊙ u²      dL/dα_n = Σ g ⊙ (e^m - 1 - m), with g = dL/dy
// α_p = `right` and α_n = `left`, each of shape [] (ShapeError), α_p > 0 and α_n > β. y is β's straight line at 0, falls again far
// to the left, and has a continuous derivative. ValueError unless β is finite.
Tensor xielu(const Tensor& x, const Tensor& right, const Tensor& left, double beta = 0.5);

struct XIELUOptions {
  double right = 0.8, left = 0.8;  // where α_p and α_n start
  double beta = 0.5;               // β
};

// xielu with α_p = softplus(a) and α_n = β + softplus(b), trained by a and b.
// convention-xielu-near-zero: elsewhere e^m - 1 is taken at min(x, -10⁻⁶), so that it is not 0 at x = 0.
class XIELU : public Layer {
 public:
  explicit XIELU(const XIELUOptions& options = {});  // ValueError unless β is finite, right > 0, and left > β

  void members(Members& m) override;
  std::string describe() const override { return "xIELU(learned)"; }

  Parameter right, left;  // a and b, of shape []

 private:
  Tensor forward(const Tensor& x) override;

  double beta_;
};

}  // namespace gradus::nn
