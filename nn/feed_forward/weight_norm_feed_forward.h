// The feed-forward layer whose linear maps learn the length of their rows apart from the direction.
#pragma once

#include "nn/feed_forward/feed_forward.h"
#include "nn/norm/weight_norm.h"

namespace gradus::nn {

// y = W₂ f(W₁ x + b₁) + b₂, each row of W₁ and W₂ as g v / ‖v‖ (Salimans and Kingma, 2016). Shapes as in FeedForward.
class WeightNormFeedForward : public Layer {
 public:
  // ValueError for sizes that are not positive, or a bias at a gate that is not there.
  WeightNormFeedForward(LayerPtr activation, const FeedForwardOptions& options);

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("WeightNormFeedForward({})", activation_->describe()); }

  WeightNormLinear w1, w2;
  Dropout dropout;

 private:
  LayerPtr inner_norm_;  // null without
  LayerPtr activation_;
};

}  // namespace gradus::nn
