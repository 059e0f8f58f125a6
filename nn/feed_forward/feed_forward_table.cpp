#include "nn/feed_forward/feed_forward_table.h"

#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"

namespace gradus::nn {
namespace {

template <typename Layer = FeedForward> MakeFeedForward ungated(const Activation& f) {
  return {[f](const FeedForwardOptions& o) {
    return std::make_unique<Layer>(o.activation ? o.activation() : std::make_unique<ActivationLayer>(f), o);
  }};
}

MakeFeedForward gated(const GatedUnit& unit) {
  return {[unit](const FeedForwardOptions& o) { return std::make_unique<GatedFeedForward>(unit, o); }, {.gated = true}};
}

int64_t count_matrices(Layer& layer) {
  const NamedTensors all = layer.named_parameters();
  return std::count_if(all.begin(), all.end(), [](const auto& named) { return named.tensor.rank() == 2; });
}

}  // namespace

const Table<MakeFeedForward>& feed_forwards() {
  static const Table<MakeFeedForward> family{
      "feed-forward",
      {
          {"relu", "ffn-relu", ungated(act::relu)},
          {"gelu", "ffn-gelu", ungated(act::gelu)},
          {"silu", "ffn-silu", ungated(act::silu)},
          {"relu2", "ffn-relu2", ungated(act::relu2)},
          {"relu-weight-norm", "norm-weight", ungated<WeightNormFeedForward>(act::relu)},
          {"relu-spectral-norm", "norm-spectral", ungated<SpectralNormFeedForward>(act::relu)},
          {"glu", "ffn-glu", gated({"GLU", act::sigmoid, FeedForwardBias::gate})},
          {"swiglu", "ffn-swiglu", gated({"SwiGLU", act::silu})},
          {"geglu", "ffn-geglu", gated({"GeGLU", act::gelu})},
          {"geglu-tanh", "ffn-geglu", gated({"GeGLU(tanh)", act::gelu_tanh})},
          {"reglu", "ffn-reglu", gated({"ReGLU", act::relu})},
          {"bilinear", "ffn-bilinear", gated({"Bilinear", act::identity})},
      }};
  return family;
}

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
