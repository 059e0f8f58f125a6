// NormFormer: pre-norm with more norms, and a gain for every head (Shleifer, Weston and Ott, 2021).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

// x ← x + norm(attention(norm(x))), each head's result scaled by a trained gain before the output projection; x ← x +
// feed_forward(norm(x)), its hidden values normalised before the second matrix. One final norm after the stack.
class NormFormer : public SequentialPlacement {
 public:
  explicit NormFormer(const PlacementOptions& options);
  bool normalizes_results() const override { return true; }
  SublayerExtras extras() const override { return {.head_gain = true, .inner_norm = true}; }
  void members(Members& m) override;

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;

 private:
  std::vector<LayerPtr> output_norms_;  // null at a feed-forward layer
};

}  // namespace gradus::nn
