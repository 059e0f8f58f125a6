#include "optim/adadelta.h"

#include "core/composites/composites.h"

namespace gradus::optim {

Adadelta::Adadelta(ParameterGroups parameters, AdadeltaOptions options)
    : Optimizer("Adadelta", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      v_(add_state("second")),
      steps_squared_(add_state("steps_squared")) {
  check_range("rho", options.rho, range::below_one, name());
  check_eps("eps", options.eps);
}

// #region optim-adadelta
void Adadelta::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double rho = options_.rho, eps = options_.eps;
  Tensor &v = v_[index], &s = steps_squared_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  v.assign(rho * v + (1 - rho) * square(g));
  const Tensor delta = sqrt(s + eps) / sqrt(v + eps) * g;
  s.assign(rho * s + (1 - rho) * square(delta));
  parameter.assign(parameter - lr * delta);
}
// #endregion optim-adadelta

}  // namespace gradus::optim
