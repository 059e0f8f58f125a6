#include "nn/feed_forward/weight_norm_feed_forward.h"

namespace gradus::nn {

WeightNormFeedForward::WeightNormFeedForward(LayerPtr activation, const FeedForwardOptions& o)
    : w1(o.d_model, o.d_ff, {.bias = o.bias != FeedForwardBias::none}),
      w2(o.d_ff, o.d_model, {.bias = o.bias != FeedForwardBias::none, .role = Role::writes_stream}),
      dropout(o.dropout),
      inner_norm_(o.inner_norm ? o.inner_norm(o.d_ff) : nullptr),
      activation_(std::move(activation)) {
  check<ValueError>(o.bias != FeedForwardBias::gate, "WeightNormFeedForward: there is no gate to have a bias; use none or all");
}

Tensor WeightNormFeedForward::forward(const Tensor& x) {
  const Tensor hidden = (*activation_)(w1(x));
  return dropout(w2(inner_norm_ != nullptr ? (*inner_norm_)(hidden) : hidden));
}

void WeightNormFeedForward::members(Members& m) {
  m.child("w1", w1);
  m.child("activation", *activation_);
  if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
  m.child("w2", w2);
  m.child("dropout", dropout);
}

}  // namespace gradus::nn
