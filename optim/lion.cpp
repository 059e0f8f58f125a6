#include "optim/lion.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

Lion::Lion(std::vector<ParameterGroup> groups, LionOptions options)
    : Optimizer(std::move(groups)), options_(options), first_(add_state("first")) {
  check_share("Lion", "a beta", options.beta1);
  check_share("Lion", "a beta", options.beta2);
}

void Lion::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const auto [beta1, beta2] = options_;
  Tensor& m = first_[index];
  if (formula_only()) {
    const Tensor g = parameter.grad();
    // #region optim-lion
    const Tensor c = beta1 * m + (1 - beta1) * g;
    parameter.assign((1 - lr * weight_decay) * parameter - lr * sign(c));
    m.assign(beta2 * m + (1 - beta2) * g);
    // #endregion optim-lion
    return;
  }
  kernels::lion(parameter, parameter.grad(), m, {.lr = lr, .decay = weight_decay, .beta1 = beta1, .beta2 = beta2});
}

}  // namespace gradus::optim
