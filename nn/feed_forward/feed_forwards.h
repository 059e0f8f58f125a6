// The family of feed-forward layers.
#pragma once

#include "core/family.h"
#include "nn/feed_forward/swiglu.h"

namespace gradus::nn {

using MakeFeedForward = std::function<LayerPtr(const FeedForwardOptions&)>;
const Family<MakeFeedForward>& feed_forwards();

}  // namespace gradus::nn
