#include "optim/lion.h"

#include "core/composites/composites.h"

namespace gradus::optim {

Lion::Lion(ParameterGroups parameters, LionOptions options)
    : Optimizer("Lion", std::move(parameters), options.lr, options.weight_decay), options_(options), m_(add_state("first")) {
  check_range("beta1", options.beta1, range::below_one, name());
  check_range("beta2", options.beta2, range::below_one, name());
}

// #region optim-lion
void Lion::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta1 = options_.beta1, beta2 = options_.beta2;
  Tensor& m = m_[index];
  const Tensor g = parameter.grad();
  const Tensor c = beta1 * m + (1 - beta1) * g;
  parameter.assign((1 - lr * weight_decay) * parameter - lr * sign(c));
  m.assign(beta2 * m + (1 - beta2) * g);
}
// #endregion optim-lion

}  // namespace gradus::optim
