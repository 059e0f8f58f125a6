// A block of a small model: causal attention and a feed-forward layer with ReLU, under a placement of the library. It is built
// from the layers themselves, so that a program has those that it uses and no others.
#pragma once

#include "nn/activation/relu.h"
#include "nn/block/placement.h"
#include "nn/feed_forward/feed_forward.h"

namespace gradus::widgets {

using MakeOwnPlacement = std::function<nn::PlacementPtr(const nn::PlacementOptions&)>;

struct SmallBlockOptions {
  std::int64_t width, heads, hidden;
  std::int64_t window = 0;                  // how many positions attention looks back to, its own among them; 0: all
  std::function<nn::LayerPtr()> make_norm;  // over the stream
  MakeOwnPlacement make_placement;
  nn::StackShape stack = {};
  nn::PositionEncodingPtr position = nullptr;  // of attention; nullptr for none
};

struct SmallBlock : nn::Module {
  explicit SmallBlock(const SmallBlockOptions& o);

  // x is [B, T, width]. `past` holds the keys and values of what was read before, and is extended; nullptr for nothing.
  nn::Stream operator()(const nn::Stream& stream, nn::KeyValueCache* past = nullptr);
  void members(nn::Members& m) override;

  nn::MultiHeadAttention attention;
  nn::FeedForward feed_forward;
  nn::PlacementPtr placement;
};

}  // namespace gradus::widgets
