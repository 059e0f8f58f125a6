// What holds of placements over any sublayers.
#include "nn/block/placement.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/block/block.h"
#include "nn/block/deep_norm.h"
#include "nn/block/scaled_residual.h"
#include "nn/norm/norm_table.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kWidth = 4;

nn::PlacementPtr make(std::string_view name, nn::StackShape stack = {.layers = 2}, const std::string& norm = "layer") {
  nn::PlacementPtr placement = nn::placements().find(name).value({
      .make_norm = [norm] { return nn::norms().find(norm).value({.width = kWidth}); },
      .d_model = kWidth,
      .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
      .stack = stack,
  });
  placement->to(DType::f64);
  std::uint64_t seed = 10;  // away from gains of 1 and scales of 0, which hide mistakes
  for (Tensor& parameter : placement->parameters()) parameter.assign(parameter.detach() + 0.2 * draw(parameter.shape(), seed++));
  return placement;
}

// A placement over sublayers f(x) = tanh(x W), with W given, and what its block and the one above hand on.
Tensor two_blocks(nn::Placement& placement, nn::Placement& above, const Tensor& x, const Tensor& w) {
  FunctionLayer f([&](const Tensor& in) { return tanh(matmul(in, w)); });
  std::vector<nn::Sublayer> sublayers(placement.order().size(), f);
  nn::MultiHeadAttention attention({.d_model = kWidth, .heads = 2});  // where queries, keys and values are read apart
  for (nn::Parameter* weight : attention.parameter_fields()) static_cast<Tensor&>(*weight) = w;  // on the tape
  const nn::AttentionInputs nothing_else;
  if (placement.reads_apart()) sublayers[0] = {attention, nothing_else};
  const nn::LayerPtr final_norm = nn::norms().find("rms").value({.width = kWidth});
  final_norm->to(DType::f64);
  const nn::Stream stream = above(placement({x}, sublayers), sublayers);
  return placement.finish(stream, placement.needs_final_norm() ? final_norm.get() : nullptr);
}

}  // namespace

TEST_CASE("block-*: first and second derivatives of every placement agree with differences") {
  const Tensors inputs{draw({2, 3, kWidth}, 2), 0.3 * draw({kWidth, kWidth}, 3)};
  for (const auto& variant : nn::placements().variants) {
    CAPTURE(variant.name);
    const nn::PlacementPtr placement = make(variant.name), above = make(variant.name, {.layers = 2, .index = 1});
    const TensorFunction f = [&](const Tensors& in) { return two_blocks(*placement, *above, in[0], in[1]); };
    const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
    CHECK_MESSAGE(first.passed, first.text);
    CHECK_MESSAGE(second.passed, second.text);
  }
}

TEST_CASE("block-*: the parameters of every placement get the gradient of differences") {
  for (const auto& variant : nn::placements().variants) {
    CAPTURE(variant.name);
    manual_seed(8);  // of what a placement draws: no difference may step over a kink of a ReLU
    const nn::PlacementPtr placement = make(variant.name), above = make(variant.name, {.layers = 2, .index = 1});
    Tensors parameters = placement->parameters();
    for (const Tensor& parameter : above->parameters()) parameters.push_back(parameter);
    if (parameters.empty()) continue;
    const Tensor x = unsqueeze(draw({2, kWidth}, 2), 0), w = 0.3 * draw({kWidth, kWidth}, 3), cotangent = draw({2, kWidth}, 4);
    const auto loss = [&] { return sum(two_blocks(*placement, *above, x, w) * cotangent); };
    const Tensors found = grad({loss()}, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Tensor parameter = parameters[i];
      const Tensor start = parameter.detached_copy(), direction = draw(start.shape(), 20 + i);
      const auto at = [&](double step) {
        parameter.assign(start + step * direction);
        return loss().item();
      };
      const double slope = (8 * (at(5e-4) - at(-5e-4)) - (at(1e-3) - at(-1e-3))) / 6e-3;  // the error is of order h⁴
      parameter.assign(start);
      CHECK(sum(found[i] * direction).item() == doctest::Approx(slope).epsilon(1e-7));
    }
  }
}

TEST_CASE("block-pre: with silent sublayers a block is the identity, and so is its gradient") {
  for (const char* name :
       {"pre", "residual", "parallel", "rezero", "layerscale", "layerscale-pre", "residual-scale", "residual-scale-pre", "macaron"}) {
    CAPTURE(name);
    const nn::PlacementPtr placement = make(name);
    const Tensor x = draw({2, 3, kWidth}, 2).set_requires_grad(), g = draw({2, 3, kWidth}, 5);
    FunctionLayer silent([](const Tensor& in) { return in * 0; });
    const Tensor y = (*placement)({x}, std::vector<nn::Sublayer>(placement->order().size(), silent)).x;
    CHECK(equal(y, x));
    CHECK(equal(grad({y}, {x}, {.seeds = {g}})[0], g));
  }
}

TEST_CASE("block-pre: dy/dx is the identity and what goes through the sublayers, exactly") {
  const nn::PlacementPtr placement = make("pre");
  const Tensor x = draw({3, kWidth}, 2).set_requires_grad(), g = draw({3, kWidth}, 5), w = draw({kWidth, kWidth}, 6);
  const Tensors seeds{g};
  Tensor branches = zeros_like(x);
  FunctionLayer f([&](const Tensor& in) {
    const Tensor y = tanh(matmul(in, w));
    branches = branches + y;
    return y;
  });
  const Tensor y = (*placement)({x}, {f, f}).x;
  const Tensor through_branches = grad({branches}, {x}, {.seeds = seeds, .retain_graph = true})[0];
  CHECK(difference(grad({y}, {x}, {.seeds = seeds})[0], g + through_branches, 1e-14) == "");
}

TEST_CASE("block-rezero: every block starts as the identity") {
  const nn::PlacementPtr placement = nn::placements().find("rezero").value(
      {.make_norm = nullptr, .d_model = kWidth, .sublayers = {nn::SublayerKind::feed_forward}, .stack = {}});
  const Tensor x = draw({2, kWidth}, 2);
  placement->to(DType::f64);
  FunctionLayer f([](const Tensor& in) { return exp(in); });
  CHECK(equal((*placement)({x}, {f}).x, x));
}

TEST_CASE("block-layerscale: λ starts by depth") {
  CHECK(nn::layer_scale_start(12) == 0.1);
  CHECK(nn::layer_scale_start(18) == 0.1);
  CHECK(nn::layer_scale_start(19) == 1e-5);
  CHECK(nn::layer_scale_start(24) == 1e-5);
  CHECK(nn::layer_scale_start(25) == 1e-6);
  CHECK(nn::layer_scale_start(36) == 1e-6);
}

TEST_CASE("block-post: after l sublayers as large as the stream 2^(-l/2) of it is left") {
  const nn::PlacementPtr placement = nn::placements().find("post").value({
      .make_norm = [] { return nn::norms().find("rms-noeps").value({.width = 512}); },
      .d_model = 512,
      .sublayers = nn::SublayerOrder(6, nn::SublayerKind::feed_forward),
      .stack = {.layers = 1},
  });
  placement->to(DType::f64);
  Generator generator(4);
  const Tensor x = randn({8, 512}, DType::f64, generator);
  FunctionLayer noise([&](const Tensor& in) { return randn(in.shape(), DType::f64, generator); });
  const Tensor y = (*placement)({x}, std::vector<nn::Sublayer>(6, noise)).x;
  CHECK((sum(x * y) / sum(x * x)).item() == doctest::Approx(std::pow(2.0, -3)).epsilon(0.15));  // spread 1/√4096
}

TEST_CASE("block-deepnorm: α and β for an encoder, a decoder, and both") {
  using nn::StackKind;
  const auto check_scale = [](nn::DeepNormScale scale, double alpha, double beta) {
    CHECK(scale.alpha == doctest::Approx(alpha).epsilon(1e-14));
    CHECK(scale.beta == doctest::Approx(beta).epsilon(1e-14));
  };
  check_scale(nn::deep_norm_scale({8, StackKind::encoder}), 2, std::pow(64, -0.25));
  check_scale(nn::deep_norm_scale({8, StackKind::decoder}), 2, std::pow(64, -0.25));
  const double n4m = 6.0 * 6 * 6 * 6 * 27;
  check_scale(nn::deep_norm_scale({6, StackKind::encoder, 27}), 0.81 * std::pow(n4m, 0.0625), 0.87 * std::pow(n4m, -0.0625));
  check_scale(nn::deep_norm_scale({27, StackKind::decoder, 6}), 3, std::pow(324, -0.25));
  check_scale(nn::glm_deep_norm_scale({8}), 4, 0.25);  // convention-deepnorm-alpha
}

namespace {

// Standard deviation of a block's matrix times √((fan_in + fan_out) / 2): the Xavier gain it was drawn with.
double xavier_gain(nn::Block& block, const std::string& path) {
  for (const auto& [name, parameter, role] : block.named_parameters()) {
    if (name != path) continue;
    return stddev(parameter).item() * std::sqrt(static_cast<double>(parameter.size(0) + parameter.size(1)) / 2);
  }
  return 0;
}

}  // namespace

TEST_CASE("block-deepnorm: gain β in the feed-forward layer, v_proj and out_proj, gain 1 in q_proj and k_proj") {
  manual_seed(1);
  nn::Block block({.attention = {.d_model = 96, .heads = 2},
                   .feed_forward = {.d_model = 96, .d_ff = 128},
                   .stack = {.layers = 32},
                   .placement = "deepnorm"},
                  nullptr);
  block.initialize();
  constexpr double kBeta = 0.25;  // (8 · 32)^-¼; nine thousand draws know it to 1/√18000
  for (const char* path : {"attention.v_proj.weight", "attention.out_proj.weight", "feed_forward.w1.weight", "feed_forward.w2.weight",
                           "feed_forward.w3.weight"}) {
    CHECK(xavier_gain(block, path) == doctest::Approx(kBeta).epsilon(0.03));
  }
  CHECK(xavier_gain(block, "attention.q_proj.weight") == doctest::Approx(1).epsilon(0.03));
  CHECK(xavier_gain(block, "attention.k_proj.weight") == doctest::Approx(1).epsilon(0.03));
}

TEST_CASE("block-macaron: a feed-forward layer more than the model has, of its own") {
  const auto parameters_of = [](const std::string& placement) {
    return nn::Block({.attention = {.d_model = 8, .heads = 2},
                      .feed_forward = {.d_model = 8, .d_ff = 16},
                      .stack = {.layers = 1},
                      .placement = placement},
                     nullptr)
        .parameter_count();
  };
  CHECK(parameters_of("macaron") - parameters_of("pre") == 3 * 8 * 16 + 8);
}

TEST_CASE("block-*: the rule of a start is for matrices of linear maps alone") {
  const Tensor matrix = ones({2, 2}), vector = ones({2});
  std::string names;
  for (const NamedTensor& map : nn::linear_maps({{"weight", matrix, Role::weight},
                                                 {"vector", vector, Role::weight},
                                                 {"table", matrix, Role::table},
                                                 {"scores", matrix, Role::scores},
                                                 {"head", matrix, Role::head},
                                                 {"out", matrix, Role::writes_stream}})) {
    names += map.name + " ";
  }
  CHECK(names == "weight scores out ");
}

TEST_CASE("block-*: as many sublayers as the layout has") {
  CHECK_THROWS_WITH_AS((*make("pre"))({draw({1, kWidth}, 2)}, {}), "PreNorm: expected 2 sublayers, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::placements().find("sandwhich"), "unknown placement 'sandwhich'; did you mean 'sandwich'?", ValueError);
}
