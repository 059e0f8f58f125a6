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

// GatedFeedForward with Swish at its gate, which is SiLU unless the options give a β.
LayerPtr swiglu(const FeedForwardOptions& o) {
  return std::make_unique<GatedFeedForward>(GatedUnit{"SwiGLU", o.swish_beta ? act::swish(*o.swish_beta) : act::silu}, o);
}

// The same with a trained β.
LayerPtr swiglu_beta(const FeedForwardOptions& o) {
  return std::make_unique<GatedFeedForward>(GatedUnit{.name = "SwiGLU(learned)", .activation = act::silu, .trains_beta = true}, o);
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
          {"swiglu", "ffn-swiglu", {swiglu, {.gated = true, .swish_beta = true}}},
          {"geglu", "ffn-geglu", gated({"GeGLU", act::gelu})},
          {"geglu-tanh", "ffn-geglu", gated({"GeGLU(tanh)", act::gelu_tanh})},
          {"reglu", "ffn-reglu", gated({"ReGLU", act::relu})},
          {"bilinear", "ffn-bilinear", gated({"Bilinear", act::identity})},
          {"moe", "ffn-moe", {[](const FeedForwardOptions& o) { return std::make_unique<MixtureOfExperts>(o); }, {.gated = true}}},
          {"swiglu-beta", "ffn-swiglu-beta", {swiglu_beta, {.gated = true, .swish_beta = true}}},
          {"swiglu-clamped", "ffn-swiglu-clamped", gated(clamped_swiglu())},
          {"swiglu-oai", "ffn-swiglu-clamped", gated(swiglu_oai())},
          {"situ", "ffn-situ", gated(situ())},
          {"relu-weight-standard", "norm-weight-standard", ungated<WeightStandardLinear>(act::relu)},
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
