// The tables of bad calls of nn, one for each of its folders, and the words that their rows share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nn/nn.h"
#include "tests/support/bad_input.h"

namespace gradus::test {

using namespace nn;  // whose names make most of the tables

BadCalls activation_calls();
BadCalls attention_calls();
BadCalls block_calls();
BadCalls convolution_calls();
BadCalls feed_forward_calls();
BadCalls init_calls();
BadCalls layer_calls();
BadCalls loss_calls();
BadCalls multi_head_attention_calls();
BadCalls norm_calls();
BadCalls norm_function_calls();
BadCalls part_calls();  // where a part, such as a norm or a function, is missing
BadCalls position_calls();
BadCalls position_class_calls();
BadCalls recurrent_calls();

// Those of modules as wholes, in nn/module_bad_input: how they hold their parts, and how large they may be.
BadCalls moved_calls();      // of modules that were moved from
BadCalls tree_calls();       // of modules whose members are no tree, or have one path, or are missing
BadCalls size_calls();       // of sizes that no model can have
BadCalls parameter_calls();  // of parameters that would take another shape
BadCalls joint_calls();      // of blocks and models whose parts do not fit together

// All of these throw nothing by themselves.
inline Tensor f32(const Shape& shape) { return zeros(shape); }
inline Tensor f64(const Shape& shape) { return zeros(shape, DType::f64); }
inline Tensor i64(const Shape& shape) { return zeros(shape, DType::i64); }

inline const Refused kNotFinite{"finite", {kNaN, kInfinity, -kInfinity}};
inline const Refused kNegative{"finite and not negative", {kNaN, kInfinity, -kInfinity, -1, -1e-9}};
inline const Refused kNotPositive{"finite and positive", {kNaN, kInfinity, -kInfinity, -1, 0}};
inline const Refused kNoProbability{"in [0, 1)", {kNaN, kInfinity, -kInfinity, -0.1, 1, 1.5}};

// Options that are accepted.
constexpr PositionOptions kSmall{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16};
inline BlockOptions narrow_block() {
  return {.attention = {.d_model = 8, .heads = 2}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {.layers = 2}};
}
inline PlacementOptions two_sublayers() {
  return {.make_norm = [] { return std::make_unique<RMSNorm>(8); },
          .d_model = 8,
          .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
          .stack = {.layers = 2}};
}
inline TransformerOptions narrow_model() { return {.context = 4, .d_model = 8, .layers = 2, .heads = 2}; }
inline PositionOptions few_positions() { return {.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8}; }

// What every function of a floating x refuses.
inline BadCalls no_floating_x(const std::string& who, const std::function<void(const Tensor&)>& f, const Shape& shape) {
  return by(who, {REFUSED(graph, f({}), "x is undefined"), REFUSED(dtype, f(i64(shape)), "needs a floating dtype, got i64")});
}

}  // namespace gradus::test
