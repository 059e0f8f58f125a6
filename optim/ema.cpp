#include "optim/ema.h"

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"
#include "optim/optimizer.h"

namespace gradus::optim {

MovingAverage::MovingAverage(NamedTensors parameters, double beta) : parameters_(std::move(parameters)), beta_(beta) {
  check_share("MovingAverage", "beta", beta);
  check<ValueError>(!parameters_.empty(), "MovingAverage: no parameters to average");
  for (const auto& [name, parameter, role] : parameters_) averages_.emplace_back(name, parameter.detached_copy());
}

void MovingAverage::update() {
  const NoGrad off;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Tensor& average = averages_[i].tensor;
    const Tensor& parameter = parameters_[i].tensor;
    if (formula_only()) {
      // #region optim-ema
      average.assign(beta_ * average + (1 - beta_) * parameter);
      // #endregion optim-ema
    } else {
      kernels::moving_average(average, parameter, beta_);
    }
  }
}

void MovingAverage::swap() {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const Tensor kept = averages_[i].tensor.detached_copy();
    averages_[i].tensor.assign(parameters_[i].tensor);
    parameters_[i].tensor.assign(kept);
  }
}

}  // namespace gradus::optim
