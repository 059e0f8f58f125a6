#include "examples/ch03_feed_forward/feed_forward_summary.h"

#include <algorithm>

namespace gradus::examples {

FeedForwardSummary summarize_feed_forward(std::string_view name, int64_t d_model, int64_t multiple_of) {
  const int64_t width = nn::feed_forward_width(name, d_model, multiple_of);
  const nn::LayerPtr layer = nn::feed_forwards().find(name).value({.d_model = d_model, .d_ff = width});
  const NamedTensors all = layer->named_parameters();
  const int64_t matrices = std::count_if(all.begin(), all.end(), [](const auto& named) { return named.tensor.rank() == 2; }),
                parameters = layer->parameter_count();
  return {layer->describe(), matrices, width, parameters > matrices * d_model * width, parameters};
}

}  // namespace gradus::examples
