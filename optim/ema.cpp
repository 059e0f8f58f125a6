#include "optim/ema.h"

#include <algorithm>
#include <cstddef>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/observer.h"

namespace gradus::optim {

MovingAverage::MovingAverage(NamedTensors parameters, double beta) : parameters_(std::move(parameters)), beta_(beta) {
  check_range("beta", beta, range::below_one);
  check<ValueError>(!parameters_.empty(), "MovingAverage: no parameters to average");
  check_parameters(parameters_);
  for (const NamedTensor& parameter : parameters_) {
    trained_.push_back(parameter.tensor.requires_grad());
    averages_.emplace_back(parameter.name, parameter.tensor.detached_copy());
  }
}

void MovingAverage::check_still_trained() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (trained_[i]) optim::check_still_trained("average", parameters_[i], "MovingAverage");
  }
}

// #region optim-ema
void MovingAverage::update() {
  check<ValueError>(!swapped_, "MovingAverage: the model has the averages now; swap() them back before update()");
  check_still_trained();
  const NoGrad off;
  const Observing unseen{nullptr};  // an error in the middle would leave some averages updated
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Tensor& s = averages_[i].tensor;
    const Tensor& theta = parameters_[i].tensor;
    const Tensor way = theta - s;  // as β and 1 - β, rounded, do not sum to 1: where θ stays, s does too
    s.assign(beta_ > 0 ? s + (1 - beta_) * way : theta);
  }
}
// #endregion optim-ema

void MovingAverage::swap() {
  check_still_trained();
  for (std::size_t i = 0; swapped_ && i < parameters_.size(); ++i) {
    check<ValueError>(parameters_[i].tensor.version() == versions_[i],
                      "MovingAverage: {} was changed between two swaps; take no "
                      "optimizer step while the model has the averages",
                      parameters_[i].name);
  }
  versions_.resize(parameters_.size());
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Tensor &average = averages_[i].tensor, &parameter = parameters_[i].tensor;
    auto* const values = static_cast<std::byte*>(parameter.mutable_bytes());  // in place: memory may have run out
    const std::size_t bytes = static_cast<std::size_t>(parameter.numel()) * size_of(parameter.dtype());
    std::swap_ranges(values, values + bytes, static_cast<std::byte*>(average.mutable_bytes()));
    versions_[i] = parameter.version();
  }
  swapped_ = !swapped_;
}

}  // namespace gradus::optim
