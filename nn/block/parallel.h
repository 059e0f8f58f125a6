// Parallel: attention and feed-forward layer side by side (Wang and Komatsuzaki, 2021; Chowdhery et al., 2022).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// x ← x + f(n) + g(n) with n = norm(x), of attention f and the feed-forward layer g. One final norm after the stack.
class Parallel : public Placement {
 public:
  explicit Parallel(const PlacementOptions& options) : Placement(options), norm_(options.new_norm()) {}
  void members(Members& m) override { m.child("norm1", *norm_); }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  LayerPtr norm_;
};

}  // namespace gradus::nn
