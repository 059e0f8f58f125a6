#include "nn/block/adaptive_placement.h"

namespace gradus::nn {

AdaptivePlacement::AdaptivePlacement(const PlacementOptions& o) : Placement(o) {
  for (std::size_t i = 0; i < order().size(); ++i) norms_.emplace_back(o.d_model, o.d_model, AdaptiveNormOptions{.gate = true});
}

Stream AdaptivePlacement::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor c = s.condition.defined() ? s.condition : zeros({s.x.size(0), s.x.size(-1)}, s.x.dtype());
  const auto [y, gate] = norms_[i](s.x, c);
  return {s.x + gate * f(y)};
}

void AdaptivePlacement::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), norms_[i]);
}

}  // namespace gradus::nn
