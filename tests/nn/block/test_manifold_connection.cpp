// mHC beyond the values that test_block.cpp compares with transformers' module: its start, and what the manifold keeps.
#include "nn/block/manifold_connection.h"

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "nn/block/norm_placement.h"
#include "nn/block/sinkhorn.h"
#include "nn/norm/layer_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kManifoldWidth = 6, kManifoldStreams = 4;

nn::PlacementOptions manifold_options(int64_t index) {
  return {.make_norm = [] { return std::make_unique<nn::LayerNorm>(Shape{kManifoldWidth}, nn::LayerNormOptions{.eps = 0}); },
          .d_model = kManifoldWidth,
          .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
          .stack = {.layers = 3, .index = index}};
}

nn::HyperConnectionOptions manifold_map() { return {.streams = kManifoldStreams, .map = nn::StreamMap::manifold}; }

// One whose parameters are this far from their start.
nn::ManifoldConnection scattered_connection(double by) {
  nn::ManifoldConnection connection(manifold_options(0), manifold_map());
  connection.to(DType::f64);
  std::uint64_t seed = 1;
  for (Tensor& p : connection.parameters()) p.assign(p.detach() + by * draw(p.shape(), seed++));
  return connection;
}

struct ManifoldParts { Tensor read, mix, write; };
ManifoldParts manifold_parts(nn::StreamConnection& connection, const Tensor& h) {
  const auto [alpha, beta] = connection(h);
  return {select(alpha, -1, 0), slice(alpha, -1, 1), beta};
}

}  // namespace

TEST_CASE("block-mhc: read lies between 0 and 1, write between 0 and 2, and the rows and columns of mix sum to 1, for each token") {
  nn::ManifoldConnection connection = scattered_connection(1);
  const Tensor h = draw({2, 5, kManifoldStreams, kManifoldWidth}, 7);
  const auto [read, mix, write] = manifold_parts(connection, h);
  CHECK(read.shape() == Shape{2, 5, kManifoldStreams});
  CHECK(mix.shape() == Shape{2, 5, kManifoldStreams, kManifoldStreams});
  for (const auto& [part, high] : {std::pair{read, 1.0}, {write, 2.0}}) {
    CHECK(min(part).item() > 0);
    CHECK(max(part).item() < high);
    CHECK(max(part).item() > 0.75 * high);  // and they do go far
    CHECK(min(part).item() < 0.4 * high);
  }
  CHECK(max_difference(sum(mix, -2), ones_like(read)) < 1e-14);
  CHECK(max_difference(sum(mix, -1), ones_like(read)) < 0.2);  // after 20 rounds, of logits far apart
  // Each token goes by its own streams.
  Tensor other = h.detached_copy();
  other.set({1, 3, 2, 0}, 9);
  const Tensor change = max(abs(manifold_parts(connection, other).mix - mix), {-1, -2});
  for (int64_t i = 0; i < 10; ++i) CHECK((change[i / 5][i % 5].item() > 1e-3) == (i == 8));
}

TEST_CASE("block-mhc: mixing leaves the sum of the streams as it is, and makes them no longer") {
  nn::ManifoldConnection connection = scattered_connection(0.3);
  Tensor h = draw({3, kManifoldStreams, kManifoldWidth}, 8);
  const Tensor total = sum(h, -2);
  for (int depth = 0; depth < 30; ++depth) {
    const Tensor mix = nn::sinkhorn(log(manifold_parts(connection, h).mix), 400);  // doubly stochastic to the last digits
    const Tensor next = matmul(mix, h, {.transpose_a = true});
    CHECK(norm(next).item() <= norm(h).item() * (1 + 1e-12));
    h = next;
  }
  CHECK(difference(sum(h, -2), total, 1e-12) == "");
}

TEST_CASE("block-mhc: with scales of 0 each stream is pre-norm's, and the stack hands on n times that") {
  FunctionLayer f([](const Tensor& x) { return sin(3 * x); });
  const Tensor x = draw({2, 3, kManifoldWidth}, 2);
  nn::HyperConnections placement(manifold_options(1), manifold_map());
  CHECK(placement.describe() == "HyperConnections(4 streams, manifold)");
  placement.to(DType::f64);
  for (NamedTensor& p : placement.named_parameters()) {
    if (p.name.find("_scale") == std::string::npos) continue;
    CHECK(p.tensor.item() == doctest::Approx(0.01));
    p.tensor.fill(0);
  }
  nn::PreNorm pre(manifold_options(1));
  pre.to(DType::f64);
  const Tensor expected = pre({x}, {f, f}).x;
  const nn::Stream result = placement({x}, {f, f});
  for (int64_t k = 0; k < kManifoldStreams; ++k) CHECK(difference(select(result.second, 2, k), expected, 1e-12) == "");
  CHECK(difference(result.x, kManifoldStreams * expected, 1e-12) == "");
}

TEST_CASE("block-mhc: at the start read is a half, write 1 and mix even, but for what a hundredth of each token's map adds") {
  manual_seed(3);
  nn::ManifoldConnection connection(manifold_options(0), manifold_map());
  const auto [read, mix, write] = manifold_parts(connection, randn({2, 9, kManifoldStreams, kManifoldWidth}));
  for (const auto& [part, middle] : {std::pair{read, 0.5}, {write, 1.0}, {mix, 0.25}}) {
    CHECK(max_difference(part, full(part.shape(), middle)) < 0.05 * middle);
    CHECK(stddev(part).item() > 1e-4 * middle);
  }
  CHECK(connection.parameter_count() ==
        (kManifoldStreams * kManifoldWidth + 1) * (kManifoldStreams * kManifoldStreams + 2 * kManifoldStreams) + 3);
  CHECK_THROWS_WITH_AS(nn::ManifoldConnection(manifold_options(0), {.map = nn::StreamMap::manifold, .rounds = 0}),
                       "ManifoldConnection: the number of rounds must be positive, got 0", ValueError);
}

TEST_CASE("block-mhc: the number of rounds is the option's") {
  const auto mix_of = [](int64_t rounds) {
    nn::ManifoldConnection connection(manifold_options(0), {.map = nn::StreamMap::manifold, .rounds = rounds});
    connection.mix_bias.assign(tensor({{3, 0, 1, 0}, {0, 2, 0, 0}, {3, 0, 0, 1}, {0, 0, 4, 0}}));
    connection.mix_scale.fill(0);
    return select(manifold_parts(connection, ones({1, kManifoldStreams, kManifoldWidth})).mix, 0, 0);
  };
  for (const int64_t rounds : {1, 2, 20}) {
    const Tensor logits = tensor({{3, 0, 1, 0}, {0, 2, 0, 0}, {3, 0, 0, 1}, {0, 0, 4, 0}});
    CHECK(difference(mix_of(rounds), nn::formula::sinkhorn(logits, rounds), 1e-6) == "");
  }
  CHECK(max_difference(mix_of(1), mix_of(20)) > 0.01);
}

TEST_CASE(
    "convention-mhc-transpose: the paper divides the columns of H_res first, its rows last, and takes H_res h; the same as mixᵀ h with mix "
    "made of the transpose; half of this change is another block") {
  const Tensor logits = draw({kManifoldStreams, kManifoldStreams}, 5), h = draw({kManifoldStreams, kManifoldWidth}, 6);
  Tensor paper = exp(logits);  // T_r(T_c(M)), 20 times
  for (int round = 0; round < 20; ++round) {
    paper = paper / sum(paper, 0, true);
    paper = paper / sum(paper, 1, true);
  }
  const Tensor mix = nn::sinkhorn(transpose(logits));
  CHECK(difference(transpose(mix), paper, 1e-13) == "");
  CHECK(difference(matmul(mix, h, {.transpose_a = true}), matmul(paper, h), 1e-13) == "");
  CHECK(max_difference(matmul(mix, h), matmul(paper, h)) > 0.1);
}

TEST_CASE("convention-mhc-eps: DeepSeek-V4's 1e-6 takes a millionth from each column's sum, and moves no number of the mix by 1e-4") {
  const Tensor logits = 2 * draw({50, kManifoldStreams, kManifoldStreams}, 5);
  const double eps = 1e-6;
  Tensor m = exp(logits) / sum(exp(logits), -1, true) + eps;
  m = m / (sum(m, -2, true) + eps);
  for (int round = 1; round < 20; ++round) {
    m = m / (sum(m, -1, true) + eps);
    m = m / (sum(m, -2, true) + eps);
  }
  const double off = max_difference(m, nn::sinkhorn(logits));
  CHECK(off > 1e-8);
  CHECK(off < 1e-4);
  CHECK(difference(sum(m, -2), full({50, kManifoldStreams}, 1 - eps, DType::f64), 1e-7) == "");
}
