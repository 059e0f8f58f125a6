#include "optim/momentum.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

Momentum::Momentum(std::vector<ParameterGroup> groups, MomentumOptions options)
    : Optimizer(std::move(groups)), options_(options), velocity_(add_state("velocity")) {
  check_share("Momentum", "momentum", options.momentum);
  check_share("Momentum", "dampening", options.dampening);
}

void Momentum::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double momentum = options_.momentum, keep = steps() == 1 ? 1 : 1 - options_.dampening;
  Tensor& velocity = velocity_[index];
  if (formula_only()) {
    // #region optim-momentum
    const Tensor g = parameter.grad() + weight_decay * parameter;
    velocity.assign(momentum * velocity + keep * g);
    parameter.assign(parameter - lr * velocity);
    // #endregion optim-momentum
    return;
  }
  kernels::momentum(parameter, parameter.grad(), velocity,
                    {.lr = lr, .l2 = weight_decay, .momentum = momentum, .keep = keep, .nesterov = false});
}

}  // namespace gradus::optim
