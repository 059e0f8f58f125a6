// SGD: stochastic gradient descent (Robbins and Monro, 1951).
//
//   θ ← θ - lr (g + λ θ)        g the gradient; the decay λ is that of ½ λ ‖θ‖² in the loss (L2)
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

class SGD : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;
};

}  // namespace gradus::optim
