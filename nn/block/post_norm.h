// Post-norm: the stream is normalised after every sublayer, as in the first Transformer (Vaswani et al., 2017).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

// x ← norm(x + f(x)); no final norm. Each norm divides the way around the sublayer too: with f as large as x by √2, so
// that after l sublayers 2^(-l/2) of the first stream is left.
class PostNorm : public SequentialPlacement {
 public:
  explicit PostNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  bool needs_final_norm() const override { return false; }
  std::string describe() const override { return "PostNorm"; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
