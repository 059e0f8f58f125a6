// The gated streams, beyond the values of transformers' module in test_block.cpp.
#include "nn/block/gated_streams.h"

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "nn/block/stack.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kGatedWidth = 5, kGatedStreams = 3;

nn::PlacementOptions gated_options(int64_t index) {
  return {.make_norm = nullptr,
          .d_model = kGatedWidth,
          .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
          .stack = {.layers = 2, .index = index}};
}

nn::GatedStreams scattered_streams(int64_t index) {
  nn::GatedStreams placement(gated_options(index), {.streams = kGatedStreams, .rank = 2});
  placement.to(DType::f64);
  std::uint64_t seed = 1;
  for (Tensor& p : placement.parameters()) p.assign(p.detach() + 0.3 * draw(p.shape(), seed++));
  return placement;
}

}  // namespace

TEST_CASE("block-gated-streams: no stream hears of another but through a sublayer") {
  nn::GatedStreams placement = scattered_streams(0);
  FunctionLayer silent([](const Tensor& x) { return 0 * x; }), loud([](const Tensor& x) { return sin(x); });
  const Tensor h = draw({1, 2, kGatedStreams, kGatedWidth}, 4), x = draw({1, 2, kGatedWidth}, 5);
  CHECK(equal(placement({.x = x, .second = h}, {silent, silent}).second, h));
  // Each stream gets the same results, by a number between 0 and 2 for each.
  const Tensor added = placement({.x = x, .second = h}, {loud, silent}).second - h;
  for (int64_t k = 0; k < kGatedStreams; ++k) {
    const Tensor share = select(added, 2, k) / select(added, 2, 0);
    CHECK(difference(share, expand(slice(share, -1, 0, 1), share.shape()), 1e-9) == "");
  }
}

TEST_CASE("block-gated-streams: a stream ten times as loud is read as before, and so are all") {
  nn::StreamReader reader(gated_options(0), {.streams = kGatedStreams, .rank = 2});
  reader.to(DType::f64);
  const Tensor h = 100 * draw({1, 2, kGatedStreams, kGatedWidth}, 4), size = reshape(tensor({1, 10, 3}, DType::f64), {kGatedStreams, 1});
  CHECK(difference(reader(size * h).x, reader(h).x, 1e-6) == "");  // but for ε
  CHECK(reader(h).flat.shape() == Shape{1, 2, kGatedStreams * kGatedWidth});
  CHECK(nn::StreamReader(gated_options(0), {}).describe() == "StreamReader(4 streams, rank 1)");
  CHECK_THROWS_WITH_AS(nn::StreamReader(gated_options(0), {.rank = -1}), "StreamReader: the rank must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::GatedStreams(gated_options(0), {.streams = 0}), "StreamReader: the number of streams must be positive, got 0",
                       ValueError);
}

TEST_CASE("block-gated-streams: the last block reads once more, and no final norm follows") {
  nn::Stack stack({.attention = {.d_model = kGatedWidth, .heads = 1},
                   .feed_forward = {.d_model = kGatedWidth, .d_ff = 6},
                   .stack = {.layers = 2},
                   .placement = "gated-streams"});
  int readers = 0, final_norms = 0;
  for (const NamedTensor& p : stack.named_parameters()) {
    readers += p.name == "blocks.1.placement.last_reader.up";
    readers += 10 * (p.name == "blocks.0.placement.last_reader.up");
    final_norms += p.name.find("final_norm") != std::string::npos;
  }
  CHECK(readers == 1);
  CHECK(final_norms == 0);
  // With gates of ½ the result is half the mean of the normed streams, however loud the input was.
  nn::GatedStreams last(gated_options(1), {.streams = kGatedStreams, .rank = 2});
  last.to(DType::f64);
  for (NamedTensor& p : last.named_parameters()) {
    if (p.name.find("up") != std::string::npos) p.tensor.fill(0);
  }
  FunctionLayer silent([](const Tensor& x) { return 0 * x; });
  const Tensor x = draw({1, 2, kGatedWidth}, 5);
  CHECK(difference(last({.x = x}, {silent, silent}).x, 0.5 * nn::rms_norm(x), 1e-12) == "");
}
