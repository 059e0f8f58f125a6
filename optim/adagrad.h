// Adagrad: a value's step shrinks with all the gradients it has seen (Duchi, Hazan and Singer, 2011).
//
//   g ← g + λ θ
//   s ← s + g²
//   θ ← θ - lr g / (√s + ε)
//
// Rare features keep long steps; but s only grows, so the steps die out. The defaults are PyTorch's.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct AdagradOptions {
  double lr = 1e-2;
  double eps = 1e-10;
  double weight_decay = 0;  // λ
};

class Adagrad : public Optimizer {
 public:
  // ValueError unless ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit Adagrad(ParameterGroups parameters, AdagradOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  double eps_;
  Tensors squares_;  // s
};

}  // namespace gradus::optim
