#include "optim/ema.h"

#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"
#include "optim/optimizer.h"

namespace gradus::optim {

MovingAverage::MovingAverage(NamedTensors parameters, double beta) : parameters_(std::move(parameters)), beta_(beta) {
  check_fraction("MovingAverage", "beta", beta);
  check<ValueError>(!parameters_.empty(), "MovingAverage: no parameters to average");
  for (const auto& [name, parameter, role] : parameters_) averages_.emplace_back(name, parameter.detached_copy());
}

// #region optim-ema
void MovingAverage::update() {
  const NoGrad off;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Tensor& average = averages_[i].tensor;
    average.assign(beta_ * average + (1 - beta_) * parameters_[i].tensor);
  }
}
// #endregion optim-ema

void MovingAverage::swap() {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const auto& [name, parameter, role] = parameters_[i];
    check<DTypeError>(parameter.dtype() == averages_[i].tensor.dtype(),
                      "MovingAverage: {} changed from {} to {} after the average was built; call model.to() before", name,
                      averages_[i].tensor.dtype(), parameter.dtype());
  }
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const Tensor kept = averages_[i].tensor.detached_copy();
    averages_[i].tensor.assign(parameters_[i].tensor);
    parameters_[i].tensor.assign(kept);
  }
}

}  // namespace gradus::optim
