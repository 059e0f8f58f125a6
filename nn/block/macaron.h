// Macaron: attention between two half feed-forward steps (Lu et al., 2019; Gulati et al., 2020).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

// x ← x + ½ feed_forward(norm(x)), x ← x + attention(norm(x)), x ← x + ½ feed_forward′(norm(x)): the first feed-forward
// layer stands before what the model has. One final norm after the stack.
class Macaron : public SequentialPlacement {
 public:
  explicit Macaron(const PlacementOptions& options);
  std::string describe() const override { return "Macaron"; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
