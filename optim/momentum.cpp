#include "optim/momentum.h"

#include "core/composites/composites.h"

namespace gradus::optim {

Momentum::Momentum(ParameterGroups parameters, MomentumOptions options)
    : Optimizer("Momentum", std::move(parameters), options.lr, options.weight_decay), options_(options), velocity_(add_state("velocity")) {
  check_range("momentum", options.momentum, range::below_one, name());
  check_range("dampening", options.dampening, range::below_one, name());
}

// #region optim-momentum
void Momentum::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double mu = options_.momentum, tau = steps() == 1 ? 0 : options_.dampening;
  Tensor& u = velocity_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  u.assign(mu * u + (1 - tau) * g);
  parameter.assign(parameter - lr * u);
}
// #endregion optim-momentum

}  // namespace gradus::optim
