#include "optim/parameter_groups.h"

#include <fmt/format.h>

#include <utility>

#include "optim/checks.h"

namespace gradus::optim {
namespace {

bool decays(const NamedTensor& parameter, const DecayOptions& options) {
  check<GraphError>(parameter.tensor.defined(), "decay_matrices: {} is undefined", parameter.name);
  if (parameter.tensor.rank() < 2) return false;
  switch (parameter.role) {
    case Role::weight:
    case Role::scores:
    case Role::writes_stream:
    case Role::head: return true;
    case Role::table: return options.embeddings;
    case Role::gain:
    case Role::bias:
    case Role::other: return false;
  }
  return false;
}

}  // namespace

ParameterGroups::ParameterGroups(const NamedTensors& parameters) : ParameterGroups(decay_matrices(parameters)) {}

ParameterGroups decay_matrices(const NamedTensors& parameters, std::optional<double> weight_decay,
                               DecayOptions options) {
  if (weight_decay) check_range("decay_matrices", "the weight decay", *weight_decay, range::not_negative);
  ParameterGroup decayed{{}, weight_decay}, others{{}, 0};
  for (const NamedTensor& parameter : parameters) {
    (decays(parameter, options) ? decayed : others).parameters.push_back(parameter);
  }
  ParameterGroups groups;
  for (ParameterGroup* group : {&decayed, &others}) {
    if (!group->parameters.empty()) groups.push_back(std::move(*group));
  }
  return groups;
}

std::string describe(const ParameterGroups& groups) {
  std::string text;
  for (const auto& [parameters, weight_decay, lr_scale] : groups) {
    int64_t count = 0;
    for (const auto& [name, tensor, role] : parameters) {
      check<GraphError>(tensor.defined(), "describe: {} is undefined", name);
      count += tensor.numel();
    }
    text += fmt::format("weight decay {}, rate × {}: {} tensors, {} values\n",
                        weight_decay ? fmt::to_string(*weight_decay) : "the optimizer's", lr_scale, parameters.size(),
                        count);
    for (const NamedTensor& parameter : parameters) {
      text += fmt::format("  {} {}\n", parameter.name, parameter.tensor.shape());
    }
  }
  return text;
}

}  // namespace gradus::optim
