// The family of feed-forward layers.
#pragma once

#include "core/table.h"
#include "nn/feed_forward/feed_forward.h"

namespace gradus::nn {

// How a layer of the family is made, and whether it has a gate: its usual width depends on that alone.
struct MakeFeedForward : std::function<LayerPtr(const FeedForwardOptions&)> {
  template <typename Make>
    requires std::is_invocable_r_v<LayerPtr, Make&, const FeedForwardOptions&>
  MakeFeedForward(Make make, bool has_gate = false) : function(std::move(make)), gated(has_gate) {}
  bool gated;
};
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
