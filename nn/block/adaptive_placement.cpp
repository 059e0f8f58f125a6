#include "nn/block/adaptive_placement.h"

namespace gradus::nn {

AdaptivePlacement::AdaptivePlacement(const PlacementOptions& o) : Placement(o) {
  for (std::size_t i = 0; i < order().size(); ++i) norms_.emplace_back(o.d_model, o.d_model, AdaptiveNormOptions{.gate = true});
}

Stream AdaptivePlacement::forward(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  Tensor x = stream.x;
  const Tensor c = stream.condition.defined() ? stream.condition : zeros({x.size(0), x.size(-1)}, x.dtype());
  for (std::size_t i = 0; i < sublayers.size(); ++i) {
    const auto [y, gate] = norms_[i].forward(x, c);
    x = x + gate * sublayers[i](y);
  }
  return {.x = x, .condition = stream.condition};
}

void AdaptivePlacement::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), norms_[i]);
}

}  // namespace gradus::nn
