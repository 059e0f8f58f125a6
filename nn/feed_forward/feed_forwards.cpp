#include "nn/feed_forward/feed_forwards.h"

namespace gradus::nn {

const Family<MakeFeedForward>& feed_forwards() {
  static const Family<MakeFeedForward> family{
      "feed-forward",
      {
          {"swiglu", "ffn-swiglu", [](const FeedForwardOptions& o) { return std::make_unique<SwiGLU>(o); }},
      }};
  return family;
}

}  // namespace gradus::nn
