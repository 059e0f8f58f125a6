// SGD: stochastic gradient descent (Robbins and Monro, 1951).
//
//   θ ← θ - lr (g + λ θ)        g the gradient; λ is that of ½ λ ‖θ‖² in the loss (L2)
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct SGDOptions {
  double lr = 1e-2;
  double weight_decay = 0;  // λ
};

class SGD : public Optimizer {
 public:
  explicit SGD(ParameterGroups parameters, SGDOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;
};

}  // namespace gradus::optim
