// Derf: as DyT, a squashing function in the place of a norm, but an erf with a shift (Chen et al., 2025).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
Tensor dynamic_erf(const Tensor& x, const Tensor& slope, const Tensor& shift, const Tensor& gain, const Tensor& bias);
}

// With z = α x + s, φ(z) = 2/√π e^(-z²) and g = dL/dy:
//   y = γ ⊙ erf(z) + β
//   dL/dx = α g ⊙ γ ⊙ φ(z)      dL/dα = Σ g ⊙ γ ⊙ φ(z) ⊙ x      dL/ds = Σ g ⊙ γ ⊙ φ(z)      dL/dγ = Σ g ⊙ erf(z)      dL/dβ = Σ g
// x [..., n]; α = `slope` and s = `shift`, one number each, of shape []; γ = `gain` and β = `bias` [n]. ShapeError otherwise. Each
// element of y depends on its own x alone: nothing is averaged.
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
