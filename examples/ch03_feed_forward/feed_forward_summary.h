// The old feed-forward beside the modern, each counted on the layer itself.
#pragma once

#include <string>
#include <string_view>

#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::examples {

struct FeedForwardSummary {
  std::string layer;  // "FeedForward(ReLU)"
  int64_t matrices;   // 3 with a gate, else 2
  int64_t width;      // nn::feed_forward_width
  bool bias;          // on any of its linear maps
  int64_t parameters;
};

// A row of nn::feed_forwards() at its usual width. ValueError for an unknown name.
FeedForwardSummary summarize_feed_forward(std::string_view name, int64_t d_model, int64_t multiple_of = 64);

}  // namespace gradus::examples
