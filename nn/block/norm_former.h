// NormFormer: pre-norm with more norms, and a gain for every head (Shleifer, Weston and Ott, 2021).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// Of attention f and the feed-forward layer g:
//   x ← x + norm(f(norm(x)))      x ← x + g(norm(x))
// A trained gain scales each head's result before the output projection, and the hidden values of g are normalised before
// its second matrix. One final norm after the stack.
class NormFormer : public Placement {
 public:
  explicit NormFormer(const PlacementOptions& options);
  bool normalizes_results() const override { return true; }
  SublayerExtras extras() const override { return {.head_gain = true, .inner_norm = true}; }
  void members(Members& m) override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  std::vector<LayerPtr> output_norms_;  // null at a feed-forward layer
};

}  // namespace gradus::nn
