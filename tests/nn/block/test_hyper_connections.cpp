// Hyper-connections beyond the values that test_block.cpp compares with PyTorch: how they start.
#include "nn/block/hyper_connections.h"

#include "core/tensor/random.h"
#include "nn/block/norm_placement.h"
#include "nn/norm/layer_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kFeatures = 6;

nn::PlacementOptions options_of(int64_t index) {
  return {.make_norm = [] { return std::make_unique<nn::LayerNorm>(Shape{kFeatures}); },
          .d_model = kFeatures,
          .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
          .stack = {.layers = 3, .index = index}};
}

Tensor parameter_at(nn::Module& module, const std::string& path) {
  for (const NamedTensor& parameter : module.named_parameters()) {
    if (parameter.name == path) return parameter.tensor;
  }
  return {};
}

Tensor streams_of(nn::Placement& placement, const Tensor& x, nn::Layer& f) { return placement({.x = x}, {f, f}).second; }

}  // namespace

TEST_CASE("block-hyper-connections: sublayer k of the stack reads stream k mod n, mixes none and writes into all") {
  for (const int64_t index : {0, 1, 2}) {
    nn::HyperConnections placement(options_of(index), {.streams = 3});
    for (const int64_t i : {0, 1}) {
      const std::string path = fmt::format("connection{}.", i + 1);
      Tensor alpha = cat({zeros({3, 1}), eye(3)}, 1);
      alpha.set({(2 * index + i) % 3, 0}, 1);
      CHECK(equal(parameter_at(placement, path + "alpha"), alpha));
      CHECK(equal(parameter_at(placement, path + "beta"), ones({3})));
      for (const NamedTensor& p : placement.named_parameters()) {  // none of the numbers decays
        const bool number = p.name == path + "alpha" || p.name == path + "beta" || p.name.find("scale") != std::string::npos;
        if (number) CHECK_MESSAGE(p.role == Role::gain, p.name);
      }
      CHECK(equal(parameter_at(placement, path + "alpha_map"), zeros({kFeatures, 4})));
      CHECK(equal(parameter_at(placement, path + "beta_map"), zeros({kFeatures})));
      CHECK(parameter_at(placement, path + "alpha_scale").item() == doctest::Approx(0.01));
      CHECK(parameter_at(placement, path + "beta_scale").item() == doctest::Approx(0.01));
    }
  }
  nn::HyperConnections fixed(options_of(0), {.map = nn::StreamMap::fixed});
  CHECK(fixed.parameter_count() == 2 * (4 * 5 + 4 + 2 * kFeatures));  // and two norms
  CHECK(nn::HyperConnections(options_of(0)).describe() == "HyperConnections(4 streams, dynamic)");
  CHECK_THROWS_WITH_AS(nn::HyperConnections(options_of(0), {.streams = 0}), "HyperConnections: needs at least one stream, got 0",
                       ValueError);
}

TEST_CASE("block-hyper-connections: at the start every stream is pre-norm's, and the stack hands on n times that") {
  FunctionLayer f([](const Tensor& x) { return sin(3 * x); });
  const Tensor x = randn({2, 3, kFeatures});
  for (const nn::StreamMap map : {nn::StreamMap::dynamic, nn::StreamMap::fixed}) {
    nn::HyperConnections placement(options_of(1), {.streams = 3, .map = map});
    nn::PreNorm pre(options_of(1));
    const Tensor expected = pre({x}, {f, f}).x;
    const nn::Stream result = placement({x}, {f, f});
    CHECK(result.second.shape() == Shape{2, 3, 3, kFeatures});
    for (int64_t stream = 0; stream < 3; ++stream) CHECK(difference(select(result.second, 2, stream), expected, 1e-6) == "");
    CHECK(difference(result.x, 3 * expected, 1e-6) == "");
  }
}

TEST_CASE("block-hyper-connections: a sublayer reads by the first column of A, mixes by the others, and writes by β") {
  nn::HyperConnections placement(options_of(0), {.streams = 2, .map = nn::StreamMap::fixed});
  parameter_at(placement, "connection1.alpha").assign(tensor({{1, 1, 0}, {0, 0, 1}}));
  parameter_at(placement, "connection1.beta").assign(tensor({0, 10}));                  // the first result goes to the second stream alone
  parameter_at(placement, "connection2.alpha").assign(tensor({{0, 1, 5}, {1, 0, 0}}));  // h'₂ = 5 h₁; the second stream is read and lost
  parameter_at(placement, "connection2.beta").assign(tensor({1, 0}));
  const Tensor x = randn({1, 2, kFeatures});
  FunctionLayer f([](const Tensor& given) { return sin(given); });
  const auto norm = [](const Tensor& given) { return nn::layer_norm(given, {kFeatures}, ones({kFeatures}), zeros({kFeatures})); };
  const Tensor second = x + 10 * sin(norm(x));
  const Tensor h = streams_of(placement, x, f);
  CHECK(difference(select(h, 2, 0), x + sin(norm(second)), 1e-6) == "");
  CHECK(difference(select(h, 2, 1), 5 * x, 1e-6) == "");
}

TEST_CASE("block-hyper-connections: with s_α and s_β, each token's streams decide how it is read and written") {
  nn::HyperConnections placement(options_of(0));
  for (const char* path : {"connection1.alpha_map", "connection1.beta_map"}) {
    const Tensor map = parameter_at(placement, path);
    Tensor(map).assign(randn(map.shape()));
  }
  FunctionLayer f([](const Tensor& given) { return sin(given); });
  const Tensor x = randn({1, 2, kFeatures}), before = streams_of(placement, x, f);
  for (const char* path : {"connection1.alpha_scale", "connection1.beta_scale"}) {
    Tensor scale = parameter_at(placement, path);
    scale.fill(0.5);
    CHECK(max_difference(streams_of(placement, x, f), before) > 0.01);
    scale.fill(0.01);
  }
}
