#include "nn/block/placement.h"

#include <cmath>

#include "nn/init.h"

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

// #region init-gpt2
void Placement::initialize(const NamedTensors& parameters) const {
  constexpr double kStd = 0.02;
  const double smaller = needs_final_norm() ? kStd / std::sqrt(static_cast<double>(sublayers_of_stack())) : kStd;
  for (auto& [path, weight, role] : linear_maps(parameters)) {
    init_normal(weight, role == Role::writes_stream ? smaller : kStd);
  }
}
// #endregion init-gpt2

}  // namespace gradus::nn
