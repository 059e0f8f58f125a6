// RMSprop: each value's step is divided by the root of its mean square gradient (Tieleman and Hinton, 2012).
//
//   g ← g + λ θ
//   v ← α v + (1 - α) g²
//   θ ← θ - lr g / (√v + ε)        v starts at 0, so the first steps are up to 1/√(1 - α) times as long
//
// With a momentum μ > 0 the steps are gathered in a velocity, whose older parts fade (Graves, 2013, without his mean of g):
//   u ← μ u + g / (√v + ε)
//   θ ← θ - lr u
//
// The defaults are PyTorch's; the authors' lecture has α = 0.9.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct RMSpropOptions {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double momentum = 0;      // μ
  double weight_decay = 0;  // λ
};

class RMSprop : public Optimizer {
 public:
  // ValueError unless 0 <= α < 1, 0 <= μ < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit RMSprop(ParameterGroups parameters, RMSpropOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  RMSpropOptions options_;
  Tensors v_, velocity_;  // v, and u if μ > 0
};

}  // namespace gradus::optim
