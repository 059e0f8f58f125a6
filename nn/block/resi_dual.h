// ResiDual: a post-norm and a pre-norm stream side by side (Xie et al., 2023).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// Two streams, which both start as the embedding. With y = f(x):
//   x ← norm(x + y)      z ← z + y
// The stack hands on x + norm(z). Through z the gradient reaches every sublayer undivided, while x keeps the sublayers'
// inputs from becoming alike.
class ResiDual : public Placement {
 public:
  explicit ResiDual(const PlacementOptions& options) : Placement(options, 1) {}
  Tensor finish(const Stream& stream, Layer* final_norm) const override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

}  // namespace gradus::nn
