#include "nn/block/norm_former.h"

namespace gradus::nn {

NormFormer::NormFormer(const PlacementOptions& options) : Placement(options, 1) {
  for (SublayerKind kind : order()) {
    output_norms_.push_back(kind == SublayerKind::feed_forward ? nullptr : options.new_norm());
  }
}

// #region block-normformer
Stream NormFormer::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor y = f(norm(i)(s.x));
  return {s.x + (output_norms_[i] != nullptr ? (*output_norms_[i])(y) : y)};
}
// #endregion block-normformer

void NormFormer::members(Members& m) {
  Placement::members(m);
  for (std::size_t i = 0; i < output_norms_.size(); ++i) {
    if (output_norms_[i] != nullptr) m.child(fmt::format("output_norm{}", i + 1), *output_norms_[i]);
  }
}

}  // namespace gradus::nn
