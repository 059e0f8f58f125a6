#include "optim/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/create.h"
#include "core/tensor/observer.h"

namespace gradus::optim {
// Said once in a thread: what a child that members() leaves out has learned is used by nobody.
static void tell_unclaimed(const char* name) {
  static thread_local constinit bool told = false;
  if (unclaimed_leaves.empty() || std::exchange(told, true)) return;
  const auto& [number, shape] = *unclaimed_leaves.begin();
  fmt::print(stderr,
             "{}: no optimizer has {} of the modules' parameters that got a gradient, such as #{} {}. Does a members() leave out a "
             "child? inspect::severed(loss, model) names them. Are they frozen? set_requires_grad(false) says so, and saves time\n",
             name, unclaimed_leaves.size(), number, shape);
}

Optimizer::Optimizer(const char* name, ParameterGroups groups, double lr, double weight_decay) : name_(name), lr_(lr) {
  check_rate(lr);
  check_decay(weight_decay);
  NamedTensors all;
  for (const ParameterGroup& group : groups) {
    const double decay = group.weight_decay.value_or(weight_decay);
    check_decay(decay);
    check_range("a group's lr_scale", group.lr_scale, range::not_negative, name_);
    for (const NamedTensor& parameter : group.parameters) {
      check_trained(parameter, name_);
      entries_.push_back({parameter, decay, group.lr_scale});
      all.push_back(parameter);
    }
  }
  check_parameters(all, name_);
  check<ValueError>(!all.empty(), "{}: no parameters to optimize", name_);
  for (const NamedTensor& parameter : all) parameter.tensor.set_unclaimed(false);
  unclaimed_leaves.clear();
}

void Optimizer::check_rate(double lr) const { check_range("the learning rate", lr, range::not_negative, name_); }
void Optimizer::check_decay(double weight_decay) const { check_range("the weight decay", weight_decay, range::not_negative, name_); }

void Optimizer::check_steps(int64_t steps) const {
  check<ValueError>(steps >= 0, "{}: the number of steps must not be negative, got {}", name_, steps);
  check<ValueError>(steps <= kMostSteps, "{}: the number of steps must be at most {}, got {}", name_, kMostSteps, steps);
}

void Optimizer::check_eps(const char* what, double eps) const {
  check_range(what, eps, range::positive, name_);
  constexpr double least = std::numeric_limits<float>::min();
  for (const Entry& entry : entries_) {
    check<ValueError>(eps >= least || entry.parameter.tensor.dtype() != DType::f32,
                      "{}: {} must be at least {:.3g} for the f32 parameter {}, got {}", name_, what, least, entry.parameter.name, eps);
  }
}

void Optimizer::check_entries() const {
  std::vector<Changed> all;
  for (const Entry& entry : entries_) {
    check_still_trained("optimizer", entry.parameter, name_);
    all.push_back({"", entry.parameter});
  }
  for (const NamedTensor& state : state_) all.push_back({"", state});
  check_apart(all, name_);
}

void Optimizer::step(double lr) {
  check_rate(lr);
  check_steps(steps_ + 1);
  check_entries();
  for (const Entry& entry : entries_) tell(&Observer::step, entry.parameter.name, entry.parameter.tensor.grad());
  const auto has_gradient = [](const Entry& entry) { return entry.parameter.tensor.grad().defined(); };
  check<GraphError>(std::any_of(entries_.begin(), entries_.end(), has_gradient),
                    "{}: none of {} parameters has a gradient; was backward() forgotten, zero_grad() called before "
                    "step(), or is this the optimizer of another model?",
                    name_, entries_.size());
  tell_unclaimed(name_);
  const NoGrad off;
  const Observing unseen{nullptr};  // an error in the middle would leave half of a step
  ++steps_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    auto& [parameter, weight_decay, lr_scale] = entries_[i];
    Tensor& tensor = parameter.tensor;
    if (tensor.grad().defined() && tensor.numel() > 0) update(i, tensor, lr * lr_scale, weight_decay);
  }
}

void Optimizer::zero_grad() {
  for (const Entry& entry : entries_) entry.parameter.tensor.zero_grad();
}

std::vector<std::string> Optimizer::load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options) {
  check_steps(steps);
  auto problems = io::load_tensors(state_, state, options, name_);
  steps_ = steps;
  return problems;
}

void Optimizer::set_steps(int64_t steps) {
  check_steps(steps);
  steps_ = steps;
}

Tensors Optimizer::add_state(const std::string& what, const MakeState& make) {
  Tensors added;
  for (const Entry& entry : entries_) {
    const NamedTensor& parameter = entry.parameter;
    added.push_back(make ? make(parameter) : zeros_like(parameter.tensor));
    if (added.back().defined()) state_.emplace_back(what + "/" + parameter.name, added.back());
  }
  return added;
}

}  // namespace gradus::optim
