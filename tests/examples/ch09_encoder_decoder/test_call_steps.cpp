// The calls from which the book draws encoder and decoder.
#include <algorithm>

#include "core/core.h"
#include "examples/ch09_encoder_decoder/call_steps.h"
#include "nn/activation/softmax.h"
#include "nn/model/encoder_decoder.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

using Paths = std::vector<std::string>;

std::vector<CallStep> steps_of(const char* placement) {
  nn::EncoderDecoderOptions options;
  options.stacks.vocabulary = 5, options.stacks.context = 4, options.stacks.d_model = 8;
  options.stacks.layers = 2, options.stacks.heads = 2, options.stacks.placement = placement;
  nn::EncoderDecoder model(options);
  const Tensor source = tensor({{2, 3, 4}}, DType::i64), target = tensor({{1, 4}}, DType::i64);
  return call_steps([&] { return nn::softmax(model(source, target)); });
}

const CallStep& step(const std::vector<CallStep>& steps, const std::string& path) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const CallStep& one) { return one.path == path; });
  if (found == steps.end()) throw ValueError("there is no step " + path);
  return *found;
}

}  // namespace

TEST_CASE("call steps: cross-attention asks with the decoder's rows and reads keys and values from the encoder") {
  const auto steps = steps_of("post");
  const std::string cross = "decoder.blocks.0.cross_attention";
  CHECK(step(steps, cross).reads == Paths{"decoder.blocks.0.placement.norm1", "encoder"});
  CHECK(step(steps, cross + ".q_proj").reads == Paths{"decoder.blocks.0.placement.norm1"});
  CHECK(step(steps, cross + ".k_proj").reads == Paths{"encoder"});
  CHECK(step(steps, cross + ".v_proj").reads == Paths{"encoder"});
  CHECK(step(steps, cross).shape == Shape{1, 2, 8});
  CHECK(step(steps, cross + ".k_proj").shape == Shape{1, 3, 8});
}

TEST_CASE("call steps: a sum reads the stream and its sublayer, and the norm stands where the placement has it") {
  const std::string block = "encoder.blocks.0";
  const auto post = steps_of("post"), pre = steps_of("pre");
  CHECK(step(post, block + ".add").reads == Paths{"encoder.add", block + ".attention"});
  CHECK(step(post, block + ".placement.norm1").reads == Paths{block + ".add"});
  CHECK(step(pre, block + ".placement.norm1").reads == Paths{"encoder.add"});
  CHECK(step(pre, block + ".attention").reads == Paths{block + ".placement.norm1"});
  CHECK(step(pre, block + ".add").reads == Paths{"encoder.add", block + ".attention"});
}

TEST_CASE("call steps: outer before inner, of blocks that are alike the parts of the first, and ids are read from nobody") {
  const auto steps = steps_of("post");
  Paths paths;
  for (const CallStep& one : steps) {
    const bool later = one.path.find("blocks.1.") != std::string::npos;
    CHECK_FALSE(later);
    paths.push_back(one.path);
  }
  CHECK(step(steps, "encoder.blocks.1").reads == Paths{"encoder.blocks.0"});
  CHECK(step(steps, "source_embedding").reads == Paths{});
  CHECK(step(steps, "matmul").reads == Paths{"decoder"});  // the head; a reshape after it is no step
  CHECK(step(steps, "softmax").reads == Paths{"matmul"});
  const auto at = [&](const char* path) { return std::find(paths.begin(), paths.end(), path) - paths.begin(); };
  CHECK(at("encoder") < at("encoder.blocks.0"));
  CHECK(at("encoder.blocks.0") < at("encoder.blocks.0.attention"));
  CHECK(at("encoder") < at("decoder"));
}
