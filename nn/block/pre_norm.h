// Pre-norm: the residual stream itself is never normalised (Xiong et al., 2020).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// x ← x + f(norm(x)) for each sublayer f; one final norm after the stack.
class PreNorm : public Placement {
 public:
  explicit PreNorm(const PlacementOptions& options);

  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) override;
  void members(Members& m) override;
  std::string name() const override { return "PreNorm"; }

 private:
  std::vector<LayerPtr> norms_;
};

}  // namespace gradus::nn
