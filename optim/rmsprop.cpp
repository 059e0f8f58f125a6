#include "optim/rmsprop.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

RMSprop::RMSprop(std::vector<ParameterGroup> groups, RMSpropOptions options)
    : Optimizer(std::move(groups)), options_(options), second_(add_state("second")) {
  check_share("RMSprop", "alpha", options.alpha);
  check_positive("RMSprop", "eps", options.eps);
}

void RMSprop::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const auto [alpha, eps] = options_;
  Tensor& second = second_[index];
  if (formula_only()) {
    // #region optim-rmsprop
    const Tensor g = parameter.grad() + weight_decay * parameter;
    second.assign(alpha * second + (1 - alpha) * square(g));
    parameter.assign(parameter - lr * g / (sqrt(second) + eps));
    // #endregion optim-rmsprop
    return;
  }
  kernels::rmsprop(parameter, parameter.grad(), second, {.lr = lr, .l2 = weight_decay, .alpha = alpha, .eps = eps});
}

}  // namespace gradus::optim
