#include "nn/block/placement.h"

#include <cmath>

#include "nn/init.h"

namespace gradus::nn {

Stream Placement::operator()(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  check<ValueError>(sublayers.size() == order_.size(), "{}: expected {} sublayers, got {}", describe(), order_.size(),
                    sublayers.size());
  return forward(stream, sublayers);
}

bool writes_stream(const std::string& path) {
  return path.find("out_proj.weight") != std::string::npos || path.find("w2.weight") != std::string::npos;
}

void Placement::initialize(const NamedTensors& parameters) const {
  constexpr double kStd = 0.02;
  const double smaller = needs_final_norm() ? kStd / std::sqrt(static_cast<double>(sublayers_of_stack())) : kStd;
  for (const auto& [path, parameter, role] : parameters) {
    Tensor handle = parameter;
    if (handle.rank() == 2) init_normal(handle, writes_stream(path) ? smaller : kStd);
  }
}

}  // namespace gradus::nn
