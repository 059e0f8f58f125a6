// Lion: only the sign of the momentum counts (Chen et al., 2023). Every value moves by lr at every step, so take a rate
// three to ten times smaller than AdamW's, and a decay larger by as much.
//
//   c = β₁ m + (1 - β₁) g
//   θ ← θ - lr λ θ - lr sign(c)
//   m ← β₂ m + (1 - β₂) g          a longer memory than c's
//
// The defaults are those of the authors' code.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct LionOptions {
  double lr = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;  // λ
};

class Lion : public Optimizer {
 public:
  // ValueError unless 0 <= β < 1.
  explicit Lion(ParameterGroups parameters, LionOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  LionOptions options_;
  Tensors m_;
};

}  // namespace gradus::optim
