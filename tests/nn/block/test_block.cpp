// Blocks and stacks against PyTorch: its Transformer layers, and every placement written out.
#include "nn/block/stack.h"
#include "tests/nn/block/block_fixture.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::BlockOptions torch_layer(const std::string& placement, bool decoder) {
  return {.attention = {.d_model = 4, .heads = 2, .bias = true, .causal = decoder},
          .feed_forward = {.d_model = 4, .d_ff = 5},
          .stack = {.layers = 1},
          .cross_attention = decoder,
          .norm = "layer",
          .placement = placement,
          .feed_forward_name = "relu"};
}

std::string compare_encoder_layer(const std::string& placement) {
  nn::Block block(torch_layer(placement, false), nullptr);
  return against_block_fixture("encoder_layer/" + placement, block,
                               [&](const BlockInputsOf& input) { return block.forward({input("x")}).x; });
}

std::string compare_decoder_layer(const std::string& placement) {
  nn::Block block(torch_layer(placement, true), nullptr);
  return against_block_fixture("decoder_layer/" + placement, block, [&](const BlockInputsOf& input) {
    return block.forward({input("x")}, {.cross = {.memory = input("memory")}}).x;
  });
}

std::string compare_placement(const std::string& placement) {
  nn::Stack stack({.attention = {.d_model = 4, .heads = 2},
                   .feed_forward = {.d_model = 4, .d_ff = 5},
                   .stack = {.layers = 2},
                   .norm = "layer",
                   .placement = placement,
                   .feed_forward_name = "gelu"},
                  nullptr);
  return against_block_fixture("placement/" + placement, stack,
                               [&](const BlockInputsOf& input) { return stack.forward(input("x")); });
}

}  // namespace

TEST_CASE("block-post: an encoder layer equals PyTorch's TransformerEncoderLayer, values and all gradients") {
  CHECK(compare_encoder_layer("post") == "");
}

TEST_CASE("block-pre: an encoder layer equals PyTorch's TransformerEncoderLayer with norm_first") {
  CHECK(compare_encoder_layer("pre") == "");
}

TEST_CASE("model-decoder: a decoder layer equals PyTorch's TransformerDecoderLayer, norm_first or not") {
  CHECK(compare_decoder_layer("post") == "");
  CHECK(compare_decoder_layer("pre") == "");
}

TEST_CASE(
    "block-residual, block-post, block-pre, block-sandwich, block-deepnorm, block-output-norm, block-parallel, "
    "block-rezero, block-layerscale, block-residual-scale, block-macaron, block-normformer, block-resi-dual: two blocks "
    "in every placement, and their final norm, equal the same written out in PyTorch") {
  for (const auto& placement : nn::placements().variants) CHECK(compare_placement(std::string(placement.name)) == "");
}
