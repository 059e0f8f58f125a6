#include "optim/nesterov.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

Nesterov::Nesterov(std::vector<ParameterGroup> groups, NesterovOptions options)
    : Optimizer(std::move(groups)), options_(options), velocity_(add_state("velocity")) {
  check_share("Nesterov", "momentum", options.momentum);
}

void Nesterov::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double momentum = options_.momentum;
  Tensor& velocity = velocity_[index];
  if (formula_only()) {
    // #region optim-nesterov
    const Tensor g = parameter.grad() + weight_decay * parameter;
    velocity.assign(momentum * velocity + g);
    parameter.assign(parameter - lr * (g + momentum * velocity));
    // #endregion optim-nesterov
    return;
  }
  kernels::momentum(parameter, parameter.grad(), velocity,
                    {.lr = lr, .l2 = weight_decay, .momentum = momentum, .keep = 1, .nesterov = true});
}

}  // namespace gradus::optim
