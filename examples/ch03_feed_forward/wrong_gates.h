// A gate as it was published wrong.
#pragma once

#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::examples {

// W₂ silu(W₁ x ⊙ W₃ x), where SwiGLU is W₂ (silu(W₁ x) ⊙ W₃ x): one bracket (Nijikadesu/breakdown-minimind#3).
class SiLUOfProduct : public nn::GatedFeedForward {
 public:
  explicit SiLUOfProduct(const nn::FeedForwardOptions& o) : GatedFeedForward({"silu of the product", nn::act::silu}, o) {}

 private:
  Tensor forward(const Tensor& x) override { return w2(nn::act::silu(w1(x) * w3(x))); }
};

}  // namespace gradus::examples
