// A squashing function in the place of a norm, without statistics: DyT (Zhu et al., 2025) and Derf (Chen et al., 2025).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
Tensor dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias);
Tensor dynamic_erf(const Tensor& x, const Tensor& slope, const Tensor& shift, const Tensor& gain, const Tensor& bias);
}  // namespace formula

// With t = tanh(α x) and g = dL/dy:
//   y = γ ⊙ t + β
//   dL/dx = α g ⊙ γ ⊙ (1 - t²)      dL/dα = Σ g ⊙ γ ⊙ (1 - t²) ⊙ x      dL/dγ = Σ g ⊙ t      dL/dβ = Σ g
// x [..., n]; α = `slope`, one number, of shape []; γ = `gain` and β = `bias` [n]. ShapeError otherwise. Each element of y
// depends on its own x alone: nothing is averaged.
Tensor dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias);

// dynamic_tanh of x [..., width] with trained α, γ and β.
class DynamicTanh : public Layer {
 public:
  explicit DynamicTanh(int64_t width, double slope = 0.5);  // ValueError unless width > 0, and slope is finite

  void members(Members& m) override;
  std::string describe() const override;

  Parameter slope;       // α, of shape []
  Parameter gain, bias;  // γ [width], starts at 1, and β [width], starts at 0

 private:
  Tensor forward(const Tensor& x) override { return dynamic_tanh(x, slope, gain, bias); }
};

// With z = α x + s, φ(z) = 2/√π e^(-z²) and g = dL/dy:
//   y = γ ⊙ erf(z) + β
//   dL/dx = α g ⊙ γ ⊙ φ(z)      dL/dα = Σ g ⊙ γ ⊙ φ(z) ⊙ x      dL/ds = Σ g ⊙ γ ⊙ φ(z)      dL/dγ = Σ g ⊙ erf(z)      dL/dβ = Σ g
// Shapes and errors as in dynamic_tanh; s = `shift` is one number, of shape [], too.
Tensor dynamic_erf(const Tensor& x, const Tensor& slope, const Tensor& shift, const Tensor& gain, const Tensor& bias);

// dynamic_erf of x [..., width] with trained α, s, γ and β.
class DynamicErf : public Layer {
 public:
  explicit DynamicErf(int64_t width, double slope = 0.5);  // ValueError unless width > 0, and slope is finite

  void members(Members& m) override;
  std::string describe() const override;

  Parameter slope, shift;  // α, and s, which starts at 0; of shape []
  Parameter gain, bias;    // γ [width], starts at 1, and β [width], starts at 0

 private:
  Tensor forward(const Tensor& x) override { return dynamic_erf(x, slope, shift, gain, bias); }
};

}  // namespace gradus::nn
