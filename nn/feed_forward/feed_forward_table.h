// The family of feed-forward layers.
#pragma once

#include "core/table.h"
#include "nn/feed_forward/feed_forward.h"

namespace gradus::nn {

struct FeedForwardTraits {
  bool gated = false;  // the usual width depends on this alone
};

using MakeFeedForward = Factory<LayerPtr, FeedForwardOptions, FeedForwardTraits>;
const Table<MakeFeedForward>& feed_forwards();
using FeedForwardChoice = Choice<feed_forwards>;  // a name in the table, or a MakeFeedForward

// The usual hidden width of this layer, by its gate. ValueError for an unknown one.
int64_t feed_forward_width(const FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of = 64);

// What a row of the family is at its usual width, counted on the layer itself: the old feed-forward beside the
// modern.
struct FeedForwardSummary {
  std::string layer;    // "FeedForward(ReLU)"
  int64_t matrices;     // 3 with a gate, else 2
  int64_t width;        // feed_forward_width
  bool bias;            // on any of its linear maps
  int64_t parameters;
};
FeedForwardSummary summarize_feed_forward(std::string_view name, int64_t d_model, int64_t multiple_of = 64);

}  // namespace gradus::nn
