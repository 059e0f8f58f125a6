// Blocks and stacks against PyTorch: its Transformer layers, and every placement written out.
#include "core/tensor/random.h"
#include "nn/block/stack.h"
#include "tests/nn/block_fixture.h"
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
          .feed_forward_layer = "relu"};
}

std::string compare_encoder_layer(const std::string& placement) {
  nn::Block block(torch_layer(placement, false), nullptr);
  return against_block_fixture("encoder_layer/" + placement, block, [&](const BlockInputsOf& input) { return block({input("x")}).x; });
}

std::string compare_decoder_layer(const std::string& placement) {
  nn::Block block(torch_layer(placement, true), nullptr);
  return against_block_fixture("decoder_layer/" + placement, block,
                               [&](const BlockInputsOf& input) { return block({input("x")}, {.cross = {.memory = input("memory")}}).x; });
}

// Is the row among those that stand in streams.safetensors?
bool is_among_streams(const std::string& placement) {
  const io::SafeTensors streams = read_fixture("streams.safetensors");
  return streams.tensors.count("placement/" + placement + "/output") > 0;
}

std::string compare_placement(const std::string& placement) {
  const auto begins = [&](const char* name) { return placement.rfind(name, 0) == 0; };
  const bool is_rms = begins("attention-residual") || begins("hybrid") || begins("mudd");  // as the reference has it
  nn::Stack stack({.attention = {.d_model = 4, .heads = 2, .causal = true},
                   .feed_forward = {.d_model = 4, .d_ff = 5},
                   .stack = {.layers = 2},
                   .norm = is_rms ? "rms" : "layer",
                   .placement = placement,
                   .feed_forward_layer = "gelu"});
  return against_block_fixture(
      "placement/" + placement, stack, [&](const BlockInputsOf& input) { return stack(input("x")); },
      is_among_streams(placement) ? "streams.safetensors" : "block.safetensors");
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
    "block-rezero, block-layerscale, block-residual-scale, block-macaron, block-normformer, block-resi-dual, "
    "block-hyper-connections: two blocks in every placement, and their final norm, equal the same written out in PyTorch") {
  for (const auto& placement : nn::placements().variants) {
    if (placement.name == "sphere") continue;                                                     // see test_sphere.cpp
    if (placement.name == "adaptive" || is_among_streams(std::string(placement.name))) continue;  // adaptive: see test_conditional.cpp
    CHECK(compare_placement(std::string(placement.name)) == "");
  }
}

TEST_CASE(
    "block-mhc, block-attention-residual, block-gated-streams, block-denseformer, block-input-residual, block-gru-gate, "
    "block-orthogonal, block-highway, block-mix, block-depth-scaled-norm, block-hybrid, block-mudd: two blocks, and their final norm, "
    "equal other people's modules, or the paper's equations in PyTorch") {
  int rows = 0;
  for (const auto& placement : nn::placements().variants) {
    if (!is_among_streams(std::string(placement.name))) continue;
    CHECK(compare_placement(std::string(placement.name)) == "");
    ++rows;
  }
  CHECK(rows == 14);
}

TEST_CASE("block-residual-scores: two blocks whose scores add up equal the same written out in PyTorch, values and all gradients") {
  nn::Stack stack({.attention = {.d_model = 4, .heads = 2, .causal = true, .residual_scores = true},
                   .feed_forward = {.d_model = 4, .d_ff = 5},
                   .stack = {.layers = 2},
                   .norm = "layer",
                   .feed_forward_layer = "gelu"});
  const auto run = [&](const BlockInputsOf& input) { return stack(input("x")); };
  CHECK(against_block_fixture("placement/residual-scores", stack, run, "streams.safetensors") == "");
}

TEST_CASE("attn-sliding-window: a window is of self-attention; cross-attention sees the whole memory") {
  nn::BlockOptions options = torch_layer("pre", true);
  options.attention.window = 1;
  nn::Block block(options, nullptr);
  const Tensor x = randn({1, 5, 4}), memory = randn({1, 5, 4});
  const auto output = [&](const Tensor& seen) { return block({x}, {.cross = {.memory = seen}}).x; };
  const Tensor other = cat({slice(memory, 1, 0, 4), -slice(memory, 1, 4)}, 1);  // another last position
  const Tensor change = max(abs(output(memory) - output(other)), {0, 2});
  CHECK(min(change).item() > 1e-4);  // it moves every output
}

TEST_CASE("block: a stack numbers its blocks itself, whatever the index that it is given") {
  for (const int64_t index : {-5, 0, 1, 7}) {
    nn::Stack stack(
        {.attention = {.d_model = 8, .heads = 2}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {.layers = 2, .index = index}});
    CHECK(stack.size() == 2);
  }
}
