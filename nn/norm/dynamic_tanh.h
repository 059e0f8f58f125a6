// DyT: a squashing function in the place of a norm, without statistics (Zhu et al., 2025).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias);
}

// y = γ ⊙ tanh(α x) + β; x [..., n], γ and β [n], α one number, of shape []. ShapeError otherwise.
// With t = tanh(α x):  dL/dx = α g ⊙ γ ⊙ (1 - t²)      dL/dα = Σ g ⊙ γ ⊙ (1 - t²) ⊙ x      dL/dγ = Σ g ⊙ t
// Every element stands for itself: nothing is averaged.
Tensor dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias);

class DynamicTanh : public Layer {
 public:
  explicit DynamicTanh(int64_t width, double slope = 0.5);  // ValueError unless width > 0

  Tensor forward(const Tensor& x) override { return dynamic_tanh(x, slope, gain, bias); }
  void members(Members& m) override;
  std::string describe() const override;

  Parameter slope;       // α
  Parameter gain, bias;  // γ starts at 1, β at 0
};

}  // namespace gradus::nn
