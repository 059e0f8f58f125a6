// Norms on what a sublayer gives back: sandwich (Ding et al., 2021) and output norm (Liu et al., 2021; OLMo 2, 2024).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

// x ← x + norm(f(norm(x))); what a sublayer adds has the norm's scale, so the stream grows no faster than its depth.
class SandwichNorm : public SequentialPlacement {
 public:
  explicit SandwichNorm(const PlacementOptions& options) : SequentialPlacement(options, 2) {}
  std::string describe() const override { return "SandwichNorm"; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + norm(f(x)); the inner norm of the sandwich left out.
class OutputNorm : public SequentialPlacement {
 public:
  explicit OutputNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  std::string describe() const override { return "OutputNorm"; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
