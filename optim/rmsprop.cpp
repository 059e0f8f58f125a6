#include "optim/rmsprop.h"

#include "core/composites/composites.h"

namespace gradus::optim {

RMSprop::RMSprop(ParameterGroups parameters, RMSpropOptions options)
    : Optimizer("RMSprop", std::move(parameters), options.lr, options.weight_decay), options_(options), v_(add_state("second")) {
  check_range("alpha", options.alpha, range::below_one, name());
  check_range("momentum", options.momentum, range::below_one, name());
  check_eps("eps", options.eps);
  if (options.momentum > 0) velocity_ = add_state("velocity");
}

// #region optim-rmsprop
void RMSprop::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double alpha = options_.alpha, eps = options_.eps;
  Tensor& v = v_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  v.assign(alpha * v + (1 - alpha) * square(g));
  if (options_.momentum == 0) {
    parameter.assign(parameter - lr * g / (sqrt(v) + eps));
    return;
  }
  Tensor& u = velocity_[index];
  u.assign(options_.momentum * u + g / (sqrt(v) + eps));
  parameter.assign(parameter - lr * u);
}
// #endregion optim-rmsprop

}  // namespace gradus::optim
