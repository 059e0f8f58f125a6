// The family of feed-forward layers: a row for each, and the headers of what they are made of.
#pragma once

#include "core/table.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/norm/spectral_norm.h"
#include "nn/norm/weight_norm.h"

namespace gradus::nn {

// What is known of a layer before it is made.
struct FeedForwardTraits {
  bool gated = false;  // the usual width depends on this alone
};

// Makes a feed-forward layer.
using MakeFeedForward = Factory<LayerPtr, FeedForwardOptions, FeedForwardTraits>;

// What the rows need.
namespace feed_forward_rows {

// UngatedFeedForward with f, or with the options' activation.
template <typename Map = Linear> MakeFeedForward ungated(const Activation& f) {
  return {[f](const FeedForwardOptions& o) {
    return std::make_unique<UngatedFeedForward<Map>>(o.activation ? o.activation() : std::make_unique<ActivationLayer>(f), o);
  }};
}

// GatedFeedForward of this unit.
inline MakeFeedForward gated(const GatedUnit& unit) {
  return {[unit](const FeedForwardOptions& o) { return std::make_unique<GatedFeedForward>(unit, o); }, {.gated = true}};
}

}  // namespace feed_forward_rows

// The feed-forward layers by name: "relu", "swiglu", …
inline const Table<MakeFeedForward>& feed_forwards() {
  using namespace feed_forward_rows;
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
      }};
  return family;
}

using FeedForwardChoice = Choice<feed_forwards>;  // a name in the table, or a MakeFeedForward

// The usual hidden width of this layer, which depends on whether it has a gate. ValueError for an unknown name, or unless
// d_model and multiple_of are positive.
int64_t feed_forward_width(const FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of = 64);

}  // namespace gradus::nn
