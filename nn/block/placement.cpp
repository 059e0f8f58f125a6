#include "nn/block/placement.h"

namespace gradus::nn {

Stream Placement::operator()(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  check<ValueError>(sublayers.size() == order_.size(), "{}: expected {} sublayers, got {}", describe(), order_.size(),
                    sublayers.size());
  return forward(stream, sublayers);
}

NamedTensors linear_maps(const NamedTensors& parameters) {
  NamedTensors result;
  for (const NamedTensor& parameter : parameters) {
    const Role role = parameter.role;
    const bool linear = role == Role::weight || role == Role::scores || role == Role::writes_stream;
    if (linear && parameter.tensor.rank() == 2) result.push_back(parameter);
  }
  return result;
}

void Placement::initialize(const NamedTensors& parameters, const InitChoice& init) const {
  const Init draw = init.make({.added_sublayers = added_sublayers()});
  for (auto& [path, weight, role] : linear_maps(parameters)) draw(weight, role);
}

}  // namespace gradus::nn
