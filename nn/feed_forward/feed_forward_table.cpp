#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::nn {

int64_t feed_forward_width(const FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of) {
  return feed_forward_width(d_model, layer.value.traits.gated, multiple_of);
}

}  // namespace gradus::nn
