#include "optim/rmsprop.h"

#include "core/composites/composites.h"

namespace gradus::optim {

RMSprop::RMSprop(ParameterGroups parameters, RMSpropOptions options)
    : Optimizer("RMSprop", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      v_(add_state("second")) {
  check_range("alpha", options.alpha, range::below_one, name());
  check_eps("eps", options.eps);
}

// #region optim-rmsprop
void RMSprop::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double alpha = options_.alpha, eps = options_.eps;
  Tensor& v = v_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  v.assign(alpha * v + (1 - alpha) * square(g));
  parameter.assign(parameter - lr * g / (sqrt(v) + eps));
}
// #endregion optim-rmsprop

}  // namespace gradus::optim
