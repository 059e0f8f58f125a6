// Pre-norm: the residual stream itself is never normalised (Xiong et al., 2020).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

// x ← x + f(norm(x)); one final norm after the stack.
class PreNorm : public SequentialPlacement {
 public:
  explicit PreNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  std::string describe() const override { return "PreNorm"; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
