#include "nn/feed_forward/feed_forward_table.h"

#include <algorithm>

namespace gradus::nn {
namespace {

int64_t count_matrices(Layer& layer) {
  const NamedTensors all = layer.named_parameters();
  return std::count_if(all.begin(), all.end(), [](const auto& named) { return named.tensor.rank() == 2; });
}

}  // namespace

int64_t feed_forward_width(const FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of) {
  return feed_forward_width(d_model, layer.value.traits.gated, multiple_of);
}

FeedForwardSummary summarize_feed_forward(std::string_view name, int64_t d_model, int64_t multiple_of) {
  const int64_t width = feed_forward_width(name, d_model, multiple_of);
  const LayerPtr layer = feed_forwards().find(name).value({.d_model = d_model, .d_ff = width});
  const int64_t matrices = count_matrices(*layer), parameters = layer->parameter_count();
  return {layer->describe(), matrices, width, parameters > matrices * d_model * width, parameters};
}

}  // namespace gradus::nn
