#include "optim/adamw.h"

#include <cmath>

#include "core/kernels/optimize.h"
#include "core/tensor/create.h"

namespace gradus::optim {

AdamW::AdamW(std::vector<ParameterGroup> groups, AdamWOptions options)
    : Optimizer(std::move(groups)), options_(options) {
  for (double beta : {options.beta1, options.beta2}) {
    check<ValueError>(beta >= 0 && beta < 1, "AdamW: a beta must be in [0, 1), got {}", beta);
  }
  check<ValueError>(options.eps > 0, "AdamW: eps must be positive, got {}", options.eps);
  for (const ParameterGroup& group : this->groups()) {
    for (const auto& [name, parameter] : group.parameters) {
      first_.push_back(zeros_like(parameter));
      second_.push_back(zeros_like(parameter));
    }
  }
}

// #region optim-adamw
void AdamW::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const auto t = static_cast<double>(steps());
  kernels::adamw(parameter, parameter.grad(), first_[index], second_[index],
                 {.lr = lr,
                  .beta1 = options_.beta1,
                  .beta2 = options_.beta2,
                  .eps = options_.eps,
                  .decay = weight_decay,
                  .correction1 = 1 - std::pow(options_.beta1, t),
                  .correction2 = 1 - std::pow(options_.beta2, t)});
}
// #endregion optim-adamw

std::vector<std::pair<std::string, Tensor>> AdamW::state() {
  std::vector<std::pair<std::string, Tensor>> result;
  std::size_t index = 0;
  for (const ParameterGroup& group : groups()) {
    for (const auto& [name, parameter] : group.parameters) {
      result.emplace_back("first/" + name, first_[index]);
      result.emplace_back("second/" + name, second_[index++]);
    }
  }
  return result;
}

}  // namespace gradus::optim
