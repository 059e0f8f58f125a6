#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::nn {
namespace {

// UngatedFeedForward with f, or with the options' activation.
template <typename Map = Linear> MakeFeedForward ungated(const Activation& f) {
  return {[f](const FeedForwardOptions& o) {
    return std::make_unique<UngatedFeedForward<Map>>(o.activation ? o.activation() : std::make_unique<ActivationLayer>(f), o);
  }};
}

// GatedFeedForward of this unit.
MakeFeedForward gated(const GatedUnit& unit) {
  return {[unit](const FeedForwardOptions& o) { return std::make_unique<GatedFeedForward>(unit, o); }, {.gated = true}};
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
          {"relu-weight-norm", "norm-weight", ungated<WeightNormLinear>(act::relu)},
          {"relu-spectral-norm", "norm-spectral", ungated<SpectralNormLinear>(act::relu)},
          {"glu", "ffn-glu", gated({"GLU", act::sigmoid, FeedForwardBias::gate})},
          {"swiglu", "ffn-swiglu", gated({"SwiGLU", act::silu})},
          {"geglu", "ffn-geglu", gated({"GeGLU", act::gelu})},
          {"geglu-tanh", "ffn-geglu", gated({"GeGLU(tanh)", act::gelu_tanh})},
          {"reglu", "ffn-reglu", gated({"ReGLU", act::relu})},
          {"bilinear", "ffn-bilinear", gated({"Bilinear", act::identity})},
          {"moe", "ffn-moe", {[](const FeedForwardOptions& o) { return std::make_unique<MixtureOfExperts>(o); }, {.gated = true}}},
      },
  };
  return family;
}

int64_t feed_forward_width(const PerLayer<FeedForwardChoice>& layers, int64_t d_model, int64_t multiple_of) {
  const FeedForwardChoice& first = layers.of(0);
  for (const auto& [other, count] : layers.runs()) {
    check<ValueError>(other.value.traits.gated == first.value.traits.gated,
                      "feed_forward '{}' and '{}': with a gate and without, the usual widths differ; set d_ff", first.name, other.name);
  }
  return feed_forward_width(d_model, first.value.traits.gated, multiple_of);
}

}  // namespace gradus::nn
