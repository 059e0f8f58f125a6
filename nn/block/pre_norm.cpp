#include "nn/block/pre_norm.h"

namespace gradus::nn {

PreNorm::PreNorm(const PlacementOptions& options) {
  for (int64_t i = 0; i < options.sublayers; ++i) norms_.push_back(options.make_norm());
}

// #region block-pre
Stream PreNorm::forward(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  Tensor x = stream.x;
  for (std::size_t i = 0; i < sublayers.size(); ++i) {
    x = x + sublayers[i]((*norms_[i])(x));
  }
  return {x};
}
// #endregion block-pre

void PreNorm::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), *norms_[i]);
}

}  // namespace gradus::nn
