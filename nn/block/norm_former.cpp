#include "nn/block/norm_former.h"

namespace gradus::nn {

NormFormer::NormFormer(const PlacementOptions& options) : SequentialPlacement(options, 1) {
  for (SublayerKind kind : order()) {
    output_norms_.push_back(kind == SublayerKind::feed_forward ? nullptr : options.new_norm());
  }
}

// #region block-normformer
Tensor NormFormer::step(std::size_t i, const Tensor& x, const Sublayer& f) {
  const Tensor y = f(norm(i, x));
  return x + (output_norms_[i] != nullptr ? (*output_norms_[i])(y) : y);
}
// #endregion block-normformer

void NormFormer::members(Members& m) {
  SequentialPlacement::members(m);
  for (std::size_t i = 0; i < output_norms_.size(); ++i) {
    if (output_norms_[i] != nullptr) m.child(fmt::format("output_norm{}", i + 1), *output_norms_[i]);
  }
}

}  // namespace gradus::nn
