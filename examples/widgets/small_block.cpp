#include "examples/widgets/small_block.h"

namespace gradus::widgets {

SmallBlock::SmallBlock(const SmallBlockOptions& o)
    : attention({.d_model = o.width, .heads = o.heads, .causal = true, .window = o.window}, o.position),
      feed_forward(nn::act::relu, {.d_model = o.width, .d_ff = o.hidden, .bias = nn::FeedForwardBias::none}),
      placement(o.make_placement({.make_norm = o.make_norm,
                                  .d_model = o.width,
                                  .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
                                  .stack = o.stack})) {}

nn::Stream SmallBlock::operator()(const nn::Stream& stream, nn::KeyValueCache* past) {
  const nn::AttentionInputs inputs{.cache = past};
  return (*placement)(stream, {{attention, inputs}, {feed_forward}});
}

void SmallBlock::members(nn::Members& m) {
  m.child("placement", *placement);
  m.child("attention", attention);
  m.child("feed_forward", feed_forward);
}

}  // namespace gradus::widgets
