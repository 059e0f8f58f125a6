// Nesterov: momentum whose gradient is taken one step ahead (Nesterov, 1983), written with the gradient at θ by a change of
// variable (Sutskever, Martens, Dahl and Hinton, 2013).
//
//   g ← g + λ θ
//   u ← μ u + g
//   θ ← θ - lr (g + μ u)        one step of u ahead
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct NesterovOptions {
  double lr = 1e-2;
  double momentum = 0.9;    // μ
  double weight_decay = 0;  // λ
};

class Nesterov : public Optimizer {
 public:
  // ValueError unless 0 <= μ < 1.
  explicit Nesterov(ParameterGroups parameters, NesterovOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  double momentum_;   // μ
  Tensors velocity_;  // u
};

}  // namespace gradus::optim
