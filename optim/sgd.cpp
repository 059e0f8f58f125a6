#include "optim/sgd.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

void SGD::update(std::size_t, Tensor& parameter, double lr, double weight_decay) {
  if (formula_only()) {
    // #region optim-sgd
    const Tensor g = parameter.grad() + weight_decay * parameter;
    parameter.assign(parameter - lr * g);
    // #endregion optim-sgd
    return;
  }
  kernels::sgd(parameter, parameter.grad(), lr, weight_decay);
}

}  // namespace gradus::optim
