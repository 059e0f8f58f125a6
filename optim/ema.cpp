#include "optim/ema.h"

#include <algorithm>
#include <cstddef>

#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"

namespace gradus::optim {

MovingAverage::MovingAverage(NamedTensors parameters, double beta) : parameters_(std::move(parameters)), beta_(beta) {
  check_range("MovingAverage", "beta", beta, range::below_one);
  check<ValueError>(!parameters_.empty(), "MovingAverage: no parameters to average");
  check_parameters("MovingAverage", parameters_);
  for (const auto& [name, parameter, role] : parameters_) {
    averages_.emplace_back(name, parameter.detached_copy());
    built_for_.emplace_back(parameter);
  }
}

void MovingAverage::check_unchanged() const {
  std::vector<Changed> all;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const std::string& name = averages_[i].name;
    built_for_[i].check_still("MovingAverage", "average", name, parameters_[i].tensor);
    built_for_[i].check_still("MovingAverage", "average", "the average of " + name, averages_[i].tensor);
    all.push_back({"", parameters_[i]});
    all.push_back({"the average of ", averages_[i]});
  }
  check_apart("MovingAverage", all);
}

// #region optim-ema
void MovingAverage::update() {
  check<ValueError>(!swapped_, "MovingAverage: the model has the averages now; swap() them back before update()");
  check_unchanged();
  const NoGrad off;
  const AnomalyMode unjudged{false};  // an error in the middle would leave some averages updated
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Tensor& s = averages_[i].tensor;
    const Tensor& theta = parameters_[i].tensor;
    const Tensor way = theta - s;  // as β and 1 - β, rounded, do not sum to 1: where θ stays, s does too
    s.assign(beta_ > 0 ? s + (1 - beta_) * way : theta);
  }
}
// #endregion optim-ema

void MovingAverage::swap() {
  check_unchanged();
  for (std::size_t i = 0; swapped_ && i < parameters_.size(); ++i) {
    check<ValueError>(parameters_[i].tensor.version() == versions_[i], "MovingAverage: {} was changed between two swaps; take no "
                      "optimizer step while the model has the averages", parameters_[i].name);
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
