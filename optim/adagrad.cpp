#include "optim/adagrad.h"

#include "core/composites/composites.h"

namespace gradus::optim {

Adagrad::Adagrad(ParameterGroups parameters, AdagradOptions options)
    : Optimizer("Adagrad", std::move(parameters), options.lr, options.weight_decay), eps_(options.eps), squares_(add_state("squares")) {
  check_eps("eps", options.eps);
}

// #region optim-adagrad
void Adagrad::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  Tensor& s = squares_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  s.assign(s + square(g));
  parameter.assign(parameter - lr * g / (sqrt(s) + eps_));
}
// #endregion optim-adagrad

}  // namespace gradus::optim
