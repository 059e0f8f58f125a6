// The family of feed-forward layers, and the headers of what they are made of. Its rows are in feed_forward_table.cpp.
#pragma once

#include "core/options/per_layer.h"
#include "core/options/table.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/experts.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/norm/spectral_norm.h"
#include "nn/norm/weight_norm.h"
#include "nn/norm/weight_standard.h"

namespace gradus::nn {

// What is known of a layer before it is made.
struct FeedForwardTraits {
  bool gated = false;       // the usual width depends on this alone
  bool swish_beta = false;  // it reads the option of this name
};

// Makes a feed-forward layer.
using MakeFeedForward = Factory<LayerPtr, FeedForwardOptions, FeedForwardTraits>;

// The feed-forward layers by name: "relu", "swiglu", …
const Table<MakeFeedForward>& feed_forwards();

using FeedForwardChoice = Choice<feed_forwards>;  // a name in the table, or a MakeFeedForward

// The usual hidden width of these layers, which depends on whether they have a gate. ValueError for an unknown name, for layers
// of which only some have one, and unless d_model and multiple_of are positive.
int64_t feed_forward_width(const PerLayer<FeedForwardChoice>& layers, int64_t d_model, int64_t multiple_of = 64);

}  // namespace gradus::nn
