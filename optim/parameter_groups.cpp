#include "optim/parameter_groups.h"

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

ParameterGroups::ParameterGroups(const Tensors& parameters) {
  NamedTensors named;
  for (const Tensor& parameter : parameters) named.emplace_back(std::to_string(named.size()), parameter);
  push_back({std::move(named)});
}

ParameterGroups decay_matrices(const NamedTensors& parameters, std::optional<double> weight_decay, DecayOptions options) {
  if (weight_decay) check_range("the weight decay", *weight_decay, range::not_negative);
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

}  // namespace gradus::optim
