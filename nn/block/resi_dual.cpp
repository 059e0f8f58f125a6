#include "nn/block/resi_dual.h"

namespace gradus::nn {

ResiDual::ResiDual(const PlacementOptions& options) : Placement(options) {
  for (std::size_t i = 0; i < order().size(); ++i) norms_.push_back(options.new_norm());
}

// #region block-resi-dual
Stream ResiDual::forward(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  Tensor x = stream.x, z = stream.second.defined() ? stream.second : stream.x;
  for (std::size_t i = 0; i < sublayers.size(); ++i) {
    const Tensor y = sublayers[i](x);
    x = (*norms_[i])(x + y);
    z = z + y;
  }
  return {x, z};
}

Tensor ResiDual::finish(const Stream& stream, Layer* final_norm) const {
  check<ValueError>(final_norm != nullptr, "ResiDual: the second stream needs a final norm, got nullptr");
  return stream.x + (*final_norm)(stream.second);
}
// #endregion block-resi-dual

void ResiDual::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), *norms_[i]);
}

}  // namespace gradus::nn
