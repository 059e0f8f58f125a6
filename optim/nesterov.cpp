#include "optim/nesterov.h"

#include "core/composites/composites.h"

namespace gradus::optim {

Nesterov::Nesterov(ParameterGroups parameters, NesterovOptions options)
    : Optimizer("Nesterov", std::move(parameters), options.lr, options.weight_decay),
      momentum_(options.momentum),
      velocity_(add_state("velocity")) {
  check_range("momentum", options.momentum, range::below_one, name());
}

// #region optim-nesterov
void Nesterov::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double mu = momentum_;
  Tensor& u = velocity_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  u.assign(mu * u + g);
  parameter.assign(parameter - lr * (g + mu * u));
}
// #endregion optim-nesterov

}  // namespace gradus::optim
