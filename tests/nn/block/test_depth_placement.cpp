// Placements that read what earlier layers gave, beyond the values of test_block.cpp.
#include "nn/block/depth_placement.h"

#include "core/composites/composites.h"
#include "nn/block/norm_placement.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kDepthWidth = 5, kDepthLayers = 3;

nn::PlacementOptions depth_options(int64_t index) {
  return {.make_norm = [] { return std::make_unique<nn::RMSNorm>(kDepthWidth); },
          .d_model = kDepthWidth,
          .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
          .stack = {.layers = kDepthLayers, .index = index}};
}

Tensor depth_parameter(nn::Module& module, const std::string& path) {
  for (const NamedTensor& parameter : module.named_parameters()) {
    if (parameter.name == path) return parameter.tensor;
  }
  return {};
}

// Sublayers that do one after the other what they are told, and keep what they were given and gave.
struct Recorder {
  FunctionLayer f{[this](const Tensor& x) {
    given.push_back(x);
    gave.push_back(sin(3 * x + static_cast<double>(gave.size())));
    return gave.back();
  }};
  Tensors given, gave;
};

// A stack of three blocks of this placement, each of `change`d parameters.
template <typename P, typename... Arguments> struct Three {
  std::vector<P> blocks;
  Recorder recorder;

  explicit Three(Arguments... arguments) {
    for (int64_t i = 0; i < kDepthLayers; ++i) {
      blocks.emplace_back(depth_options(i), arguments...);
      blocks.back().to(DType::f64);
    }
  }
  nn::Stream operator()(const Tensor& x) {
    nn::Stream s{x};
    for (P& block : blocks) s = block(s, {recorder.f, recorder.f});
    return s;
  }
};

}  // namespace

TEST_CASE("block-attention-residual: at the start every sublayer reads the mean of the embedding and of all results below") {
  Three<nn::AttentionResidual> stack;
  const Tensor x = draw({2, 3, kDepthWidth}, 1);
  const nn::Stream result = stack(x);
  Tensor total = x;
  for (std::size_t l = 0; l < 2 * kDepthLayers; ++l) {
    CHECK(difference(stack.recorder.given[l], nn::rms_norm(total / (static_cast<double>(l) + 1)), 1e-12) == "");
    total = total + stack.recorder.gave[l];
  }
  CHECK(difference(result.x, total / (2.0 * kDepthLayers + 1), 1e-12) == "");
  CHECK(result.second.shape() == Shape{2, 3, 2 * kDepthLayers + 1, kDepthWidth});
  CHECK(equal(select(result.second, 2, 0), x));
}

TEST_CASE("block-attention-residual: what is read lies between the least and the greatest of the values, and grows with no depth") {
  Three<nn::AttentionResidual> stack;
  std::uint64_t seed = 3;
  for (auto& block : stack.blocks) {
    for (const char* query : {"query1", "query2"}) depth_parameter(block, query).assign(4 * draw({kDepthWidth}, seed++));
  }
  const nn::Stream result = stack(draw({2, 3, kDepthWidth}, 1));
  CHECK(min(result.x - min(result.second, 2)).item() > -1e-12);
  CHECK(max(result.x - max(result.second, 2)).item() < 1e-12);
  CHECK(max_difference(result.x, mean(result.second, 2)) > 0.1);  // and is no mean any more
}

TEST_CASE(
    "block-attention-residual: by blocks results are summed within a source; one source of all but the embedding keeps the residual sum") {
  const Tensor x = draw({2, 3, kDepthWidth}, 1);
  Three<nn::AttentionResidual, int> pairs(2), one(100);
  const nn::Stream of_pairs = pairs(x), of_one = one(x);
  CHECK(of_pairs.second.size(2) == kDepthLayers + 1);
  for (std::size_t i = 0; i < kDepthLayers; ++i) {
    const Tensor sum_of_pair = pairs.recorder.gave[2 * i] + pairs.recorder.gave[2 * i + 1];
    CHECK(difference(select(of_pairs.second, 2, static_cast<int64_t>(i) + 1), sum_of_pair, 1e-12) == "");
  }
  Tensor total = zeros_like(x);
  for (const Tensor& y : one.recorder.gave) total = total + y;
  CHECK(difference(of_one.x, (x + total) / 2, 1e-12) == "");
  CHECK_THROWS_WITH_AS(nn::AttentionResidual(depth_options(0), 0),
                       "AttentionResidual: the number of sublayers of a source must be positive, got 0", ValueError);
}

TEST_CASE("block-denseformer, block-input-residual: they begin as pre-norm, to the last bit") {
  const Tensor x = draw({2, 3, kDepthWidth}, 1);
  Three<nn::PreNorm> pre;
  Three<nn::DenseFormer> dense;
  Three<nn::InputResidual> input;
  const Tensor expected = pre(x).x;
  CHECK(difference(dense(x).x, expected, 1e-15) == "");
  CHECK(difference(input(x).x, expected, 1e-15) == "");
}

TEST_CASE("block-denseformer: weight j of block l weighs what block j gave, before it was averaged") {
  const Tensor x = draw({2, 3, kDepthWidth}, 1);
  Three<nn::DenseFormer> stack;
  std::vector<Tensor> weights;
  for (int64_t i = 0; i < kDepthLayers; ++i) {
    weights.push_back(draw({i + 2}, 5 + static_cast<std::uint64_t>(i)));
    depth_parameter(stack.blocks[static_cast<std::size_t>(i)], "weights").assign(weights.back());
  }
  const nn::Stream result = stack(x);
  Tensors gave{x};  // X₀, X₁, …
  Tensor y = x;
  for (std::size_t i = 0; i < kDepthLayers; ++i) {
    gave.push_back(y + stack.recorder.gave[2 * i] + stack.recorder.gave[2 * i + 1]);
    y = zeros_like(x);
    for (std::size_t j = 0; j < gave.size(); ++j) y = y + weights[i][static_cast<int64_t>(j)] * gave[j];
  }
  CHECK(difference(result.x, y, 1e-12) == "");
}

TEST_CASE("block-input-residual: every block mixes in the stack's own input, and not that of the block") {
  const Tensor x = draw({2, 3, kDepthWidth}, 1);
  Three<nn::InputResidual> stack;
  for (auto& block : stack.blocks) depth_parameter(block, "mix").assign(tensor({0.5, 3}, DType::f64));
  const nn::Stream result = stack(x);
  Tensor y = x;
  for (std::size_t i = 0; i < kDepthLayers; ++i) y = 0.5 * y + 3 * x + stack.recorder.gave[2 * i] + stack.recorder.gave[2 * i + 1];
  CHECK(difference(result.x, y, 1e-12) == "");
  CHECK(equal(result.second, x));
}
