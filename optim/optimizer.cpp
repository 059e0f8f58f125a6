#include "optim/optimizer.h"

#include <algorithm>

namespace gradus::optim {

std::vector<ParameterGroup> decay_matrices(const std::vector<std::pair<std::string, Tensor>>& parameters,
                                           double weight_decay) {
  ParameterGroup decayed{{}, weight_decay}, others{{}, 0};
  for (const auto& entry : parameters) (entry.second.rank() >= 2 ? decayed : others).parameters.push_back(entry);
  std::vector<ParameterGroup> groups;
  for (ParameterGroup* group : {&decayed, &others}) {
    if (!group->parameters.empty()) groups.push_back(std::move(*group));
  }
  return groups;
}

Optimizer::Optimizer(std::vector<ParameterGroup> groups) : groups_(std::move(groups)) {
  std::vector<std::pair<std::string, Tensor>> seen;
  for (const ParameterGroup& group : groups_) {
    check<ValueError>(group.weight_decay >= 0, "optimizer: the weight decay must not be negative, got {}",
                      group.weight_decay);
    for (const auto& [name, parameter] : group.parameters) {
      check<GraphError>(parameter.requires_grad() && parameter.is_leaf(),
                        "optimizer: {} is not a parameter: it must be a leaf that requires a gradient", name);
      for (const auto& [other, tensor] : seen) {
        check<ValueError>(!tensor.same_as(parameter), "optimizer: {} is given twice, first as {}", name, other);
      }
      seen.emplace_back(name, parameter);
    }
  }
  check<ValueError>(!seen.empty(), "optimizer: no parameters to optimize");
}

void Optimizer::step(double lr) {
  check<ValueError>(lr >= 0, "optimizer: the learning rate must not be negative, got {}", lr);
  ++steps_;
  std::size_t index = 0;
  for (ParameterGroup& group : groups_) {
    for (auto& [name, parameter] : group.parameters) {
      if (parameter.grad().defined()) update(index, parameter, lr, group.weight_decay);
      ++index;
    }
  }
}

void Optimizer::clear_grad() {
  for (const ParameterGroup& group : groups_) {
    for (const auto& [name, parameter] : group.parameters) parameter.clear_grad();
  }
}

void Optimizer::load_state(const std::vector<std::pair<std::string, Tensor>>& given, int64_t steps) {
  auto own = state();
  const auto find = [&](const std::string& name) {
    return std::find_if(given.begin(), given.end(), [&](const auto& entry) { return entry.first == name; });
  };
  for (const auto& [name, tensor] : own) {
    check<ValueError>(find(name) != given.end(), "optimizer: the state lacks {}", name);
    check<ShapeError>(find(name)->second.shape() == tensor.shape(), "optimizer: {} has shape {}, expected {}", name,
                      find(name)->second.shape(), tensor.shape());
  }
  for (auto& [name, tensor] : own) tensor.assign(find(name)->second);
  steps_ = steps;
}

}  // namespace gradus::optim
