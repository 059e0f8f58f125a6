// The tables of bad calls of modules as wholes: how they hold their parts, and how large they may be.
#pragma once

#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls moved_calls();      // of modules that were moved from
BadCalls tree_calls();       // of modules whose members are no tree, or have one path, or are missing
BadCalls size_calls();       // of models and stacks that cannot be held
BadCalls parameter_calls();  // of layers whose parameters were given another shape
BadCalls joint_calls();      // of blocks and models whose parts do not fit together

inline PlacementOptions two_sublayers() {
  return {.make_norm = [] { return std::make_unique<RMSNorm>(8); },
          .d_model = 8,
          .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
          .stack = {.layers = 2}};
}
inline TransformerOptions narrow_model() { return {.context = 4, .d_model = 8, .layers = 2, .heads = 2}; }
inline PositionOptions few_positions() { return {.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8}; }

}  // namespace gradus::test
