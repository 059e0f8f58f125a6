#include "optim/adagrad.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

Adagrad::Adagrad(std::vector<ParameterGroup> groups, AdagradOptions options)
    : Optimizer(std::move(groups)), options_(options), squares_(add_state("squares")) {
  check_positive("Adagrad", "eps", options.eps);
}

void Adagrad::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double eps = options_.eps;
  Tensor& squares = squares_[index];
  if (formula_only()) {
    // #region optim-adagrad
    const Tensor g = parameter.grad() + weight_decay * parameter;
    squares.assign(squares + square(g));
    parameter.assign(parameter - lr * g / (sqrt(squares) + eps));
    // #endregion optim-adagrad
    return;
  }
  kernels::adagrad(parameter, parameter.grad(), squares, {.lr = lr, .l2 = weight_decay, .eps = eps});
}

}  // namespace gradus::optim
