// The conditional block: norms and gates computed from a condition, say a class (Peebles and Xie, 2023).
#pragma once

#include "nn/block/placement.h"
#include "nn/norm/adaptive_norm.h"

namespace gradus::nn {

// x ← x + gate ⊙ f(y), with y and the gate from the AdaptiveNorm of x and the stream's condition [B, d_model], or 0 without
// one. All gates start at 0, so that at first each block is the identity. One final norm after the stack.
class AdaptivePlacement : public Placement {
 public:
  explicit AdaptivePlacement(const PlacementOptions& options);

  bool takes_condition() const override { return true; }
  void members(Members& m) override;  // "norm1", "norm2", …

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  std::vector<AdaptiveNorm> norms_;
};

}  // namespace gradus::nn
