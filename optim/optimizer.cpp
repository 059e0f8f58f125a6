#include "optim/optimizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tape/grad_mode.h"
#include "core/tensor/create.h"

namespace gradus::optim {

namespace {

void check_steps(int64_t steps) {
  check<ValueError>(steps >= 0, "optimizer: the number of steps must not be negative, got {}", steps);
}

}  // namespace

bool name_has(const std::string& name, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

std::vector<ParameterGroup> decay_matrices(const NamedTensors& parameters, double weight_decay,
                                           DecayOptions options) {
  ParameterGroup decayed{{}, weight_decay}, others;
  for (const auto& entry : parameters) {
    const std::string& name = entry.name;
    const bool bias = name.size() >= 4 && name.compare(name.size() - 4, 4, "bias") == 0;
    const bool table = name_has(name, {"embedding", "position"});
    const bool decays = entry.tensor.rank() >= 2 && !bias && (options.embeddings || !table);
    (decays ? decayed : others).parameters.push_back(entry);
  }
  std::vector<ParameterGroup> groups;
  for (ParameterGroup* group : {&decayed, &others}) {
    if (!group->parameters.empty()) groups.push_back(std::move(*group));
  }
  return groups;
}

std::string describe(const std::vector<ParameterGroup>& groups) {
  std::string text;
  for (const ParameterGroup& group : groups) {
    int64_t count = 0;
    for (const auto& [name, parameter, role] : group.parameters) count += parameter.numel();
    text += fmt::format("weight decay {}, rate × {}: {} tensors, {} values\n", group.weight_decay, group.lr_scale,
                        group.parameters.size(), count);
    for (const auto& [name, parameter, role] : group.parameters) text += fmt::format("  {} {}\n", name, parameter.shape());
  }
  return text;
}

Optimizer::Optimizer(std::vector<ParameterGroup> groups) : groups_(std::move(groups)) {
  NamedTensors seen;
  for (const ParameterGroup& group : groups_) {
    check<ValueError>(group.weight_decay >= 0, "optimizer: the weight decay must not be negative, got {}",
                      group.weight_decay);
    check<ValueError>(group.lr_scale >= 0, "optimizer: a group's lr_scale must not be negative, got {}",
                      group.lr_scale);
    for (const auto& [name, parameter, role] : group.parameters) {
      check<GraphError>(parameter.defined() && parameter.requires_grad() && parameter.is_leaf(),
                        "optimizer: {} is not a parameter: it must be a leaf that requires a gradient", name);
      check<DTypeError>(parameter.dtype() == DType::f32 || parameter.dtype() == DType::f64,
                        "optimizer: {} is {}, too coarse to be changed by small steps; use f32 or f64", name,
                        parameter.dtype());
      for (const auto& [other, tensor, other_role] : seen) {
        check<ValueError>(!tensor.same_as(parameter), "optimizer: {} is given twice, first as {}", name, other);
      }
      seen.emplace_back(name, parameter);
      forms_.push_back({parameter.dtype(), parameter.shape()});
    }
  }
  check<ValueError>(!seen.empty(), "optimizer: no parameters to optimize");
}

void Optimizer::check_forms() const {
  auto form = forms_.begin();
  for (const ParameterGroup& group : groups_) {
    for (const auto& [name, parameter, role] : group.parameters) {
      check<DTypeError>(parameter.dtype() == form->dtype,
                        "optimizer: {} was {} when the optimizer was made and is {} now; make it after to()", name,
                        form->dtype, parameter.dtype());
      check<ShapeError>(parameter.shape() == form->shape,
                        "optimizer: {} had shape {} when the optimizer was made and has {} now; make it anew", name,
                        form->shape, parameter.shape());
      ++form;
    }
  }
}

void Optimizer::step(double lr) {
  check<ValueError>(lr >= 0, "optimizer: the learning rate must not be negative, got {}", lr);
  check_forms();
  const NoGrad off;
  ++steps_;
  std::size_t index = 0;
  for (ParameterGroup& group : groups_) {
    for (auto& [name, parameter, role] : group.parameters) {
      if (parameter.grad().defined()) update(index, parameter, lr * group.lr_scale, group.weight_decay);
      ++index;
    }
  }
}

void Optimizer::clear_grad() {
  for (const ParameterGroup& group : groups_) {
    for (const auto& [name, parameter, role] : group.parameters) parameter.clear_grad();
  }
}

std::vector<std::string> Optimizer::load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options) {
  check_steps(steps);
  auto problems = io::load_tensors("optimizer", state_, state, options);
  steps_ = steps;
  return problems;
}

void Optimizer::set_steps(int64_t steps) {
  check_steps(steps);
  steps_ = steps;
}

Tensors Optimizer::add_state(const std::string& what, const MakeState& make) {
  Tensors added;
  for (const ParameterGroup& group : groups_) {
    for (const auto& [name, parameter, role] : group.parameters) {
      added.push_back(make ? make(name, parameter) : zeros_like(parameter));
      if (added.back().defined()) state_.emplace_back(what + "/" + name, added.back());
    }
  }
  return added;
}

void check_share(const char* optimizer, const char* name, double value) {
  check<ValueError>(value >= 0 && value < 1, "{}: {} must be in [0, 1), got {}", optimizer, name, value);
}

void check_positive(const char* optimizer, const char* name, double value) {
  check<ValueError>(value > 0, "{}: {} must be positive, got {}", optimizer, name, value);
}

}  // namespace gradus::optim
