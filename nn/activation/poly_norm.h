// PolyNorm: a learned polynomial whose powers are each normalised over the row (Zhuo et al., 2024).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
Tensor poly_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps);
}

// Over the last axis, with N(u) = u / √(mean(u²) + ε) and the powers taken element by element:
//   y = a₁ N(x) + a₂ N(x²) + a₃ N(x³) + b
// With g = dL/dy, and r = √(mean(u²) + ε) for u = xⁱ:
//   dL/daᵢ = Σ g ⊙ N(u)      dL/db = Σ g      dL/du = aᵢ (g - N(u) mean(g ⊙ N(u))) / r      dL/dx = Σᵢ i xⁱ⁻¹ ⊙ dL/du
// x [..., n], n > 0; a = `weight` [3], the first for x itself; b = `bias` []. ShapeError otherwise; ValueError for an ε that is
// negative or not finite. x³ overflows f32 from |x| = 7·10¹² on.
// convention-poly-norm-mean: the paper writes u / ‖u‖, without the mean, which is smaller by √n; its code is as here, but has
// the weight of x³ first.
Tensor poly_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps = 1e-6);

// poly_norm with trained a and b, the same for all columns.
class PolyNorm : public Layer {
 public:
  explicit PolyNorm(double eps = 1e-6);  // ValueError unless eps >= 0

  void members(Members& m) override;
  std::string describe() const override { return fmt::format("PolyNorm(eps {})", eps_); }

  Parameter weight;  // a [3], starts at 1/3
  Parameter bias;    // b [], starts at 0

 private:
  Tensor forward(const Tensor& x) override { return poly_norm(x, weight, bias, eps_); }

  double eps_;
};

}  // namespace gradus::nn
