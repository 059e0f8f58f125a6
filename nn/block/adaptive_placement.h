// The conditional block: norms and gates computed from a condition, say a class (Peebles and Xie, 2023).
#pragma once

#include "nn/block/placement.h"
#include "nn/norm/adaptive_norm.h"

namespace gradus::nn {

// x ← x + gate ⊙ f(y), y and the gate the AdaptiveNorm of x given the stream's condition c [B, d_model]; one final norm after
// the stack. All gates start at 0, so that at first each block passes the stream on as it is. Where the stream has no
// condition c counts as 0, and what is left of scale, shift and gate is their bias.
class AdaptivePlacement : public Placement {
 public:
  explicit AdaptivePlacement(const PlacementOptions& options);

  bool takes_condition() const override { return true; }
  void members(Members& m) override;  // "norm1", "norm2", …

 protected:
  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) override;

 private:
  std::vector<AdaptiveNorm> norms_;
};

}  // namespace gradus::nn
