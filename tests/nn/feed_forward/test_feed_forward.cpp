#include "core/inspect/gradcheck.h"
#include "nn/feed_forward/feed_forward_table.h"

#include <map>

#include "core/tensor/random.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
namespace act = gradus::nn::act;
using nn::FeedForwardBias;

namespace {

nn::LayerPtr make(std::string_view name, const nn::FeedForwardOptions& options) { return nn::feed_forwards().find(name).value(options); }

// The row `name` as a function of x, W₁, b₁, W₂, b₂.
TensorFunction ungated(std::string_view name) {
  return [name](const Tensors& in) {
    const nn::LayerPtr layer = make(name, {.d_model = in[0].size(-1), .d_ff = in[1].size(0)});
    auto& parts = dynamic_cast<nn::FeedForward&>(*layer);
    parts.w1.weight.share(in[1]), parts.w1.bias.share(in[2]), parts.w2.weight.share(in[3]), parts.w2.bias.share(in[4]);
    return parts(in[0]);
  };
}

// The row `name` as a function of x, W₁, W₂, W₃; or of x, W₁, b₁, W₂, W₃.
TensorFunction gated(std::string_view name) {
  return [name](const Tensors& in) {
    const nn::LayerPtr layer = make(name, {.d_model = in[0].size(-1), .d_ff = in[1].size(0)});
    auto& parts = dynamic_cast<nn::GatedFeedForward&>(*layer);
    if (in.size() == 5) parts.w1.bias.share(in[2]);
    parts.w1.weight.share(in[1]), parts.w2.weight.share(in[in.size() - 2]), parts.w3.weight.share(in[in.size() - 1]);
    return parts(in[0]);
  };
}

TensorFunction ungated_formula(const nn::Activation& f) {
  return [f](const Tensors& in) { return nn::formula::feed_forward(f, in[0], in[1], in[2], in[3], in[4]); };
}
TensorFunction gated_formula(const nn::Activation& f) {
  return [f](const Tensors& in) {
    const Tensor b1 = in.size() == 5 ? in[2] : Tensor();
    return nn::formula::gated_feed_forward(f, in[0], in[1], b1, in[in.size() - 2], in[in.size() - 1]);
  };
}

// "" when PyTorch's values and gradients come out, of the formula too, and differences agree with first and second
// derivatives.
std::string verify(const std::string& row, const TensorFunction& f, const TensorFunction& formula, bool has_gate, bool has_bias) {
  Tensors inputs{draw({3, 4}, -1, 1, 1), draw({6, 4}, -1, 1, 2)};
  if (has_bias) inputs.push_back(draw({6}, -1, 1, 3));
  inputs.push_back(draw({4, 6}, -1, 1, 4));
  if (has_gate) inputs.push_back(draw({6, 4}, -1, 1, 5));
  if (!has_gate && has_bias) inputs.push_back(draw({4}, -1, 1, 6));
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  return against_pytorch(row, f, "activation.safetensors") + against_pytorch(row, formula, "activation.safetensors") +
         difference(f(inputs), formula(inputs), 1e-14) + (first.passed ? "" : first.text) + (second.passed ? "" : second.text);
}

using Paths = std::vector<std::string>;

Paths parameters_of(nn::Layer& layer) {
  Paths paths;
  for (const auto& [path, tensor, role] : layer.named_parameters()) paths.push_back(fmt::format("{} {}", path, tensor.shape()));
  return paths;
}

}  // namespace

TEST_CASE("ffn-relu: values, gradients and second derivatives") {
  CHECK(verify("ffn_relu", ungated("relu"), ungated_formula(act::relu), false, true) == "");
}
TEST_CASE("ffn-gelu: values, gradients and second derivatives") {
  CHECK(verify("ffn_gelu", ungated("gelu"), ungated_formula(act::gelu), false, true) == "");
}
TEST_CASE("ffn-silu: values, gradients and second derivatives") {
  CHECK(verify("ffn_silu", ungated("silu"), ungated_formula(act::silu), false, true) == "");
}
TEST_CASE("ffn-relu2: values, gradients and second derivatives") {
  CHECK(verify("ffn_relu2", ungated("relu2"), ungated_formula(act::relu2), false, true) == "");
}
TEST_CASE("ffn-glu: values, gradients and second derivatives") {
  CHECK(verify("ffn_glu", gated("glu"), gated_formula(act::sigmoid), true, true) == "");
}
TEST_CASE("ffn-swiglu: values, gradients and second derivatives") {
  CHECK(verify("ffn_swiglu", gated("swiglu"), gated_formula(act::silu), true, false) == "");
  CHECK(against_pytorch("swiglu", gated("swiglu")) == "");
}
TEST_CASE("ffn-geglu: values, gradients and second derivatives, by erf and by tanh") {
  CHECK(verify("ffn_geglu", gated("geglu"), gated_formula(act::gelu), true, false) == "");
  CHECK(verify("ffn_geglu_tanh", gated("geglu-tanh"), gated_formula(act::gelu_tanh), true, false) == "");
}
TEST_CASE("ffn-reglu: values, gradients and second derivatives") {
  CHECK(verify("ffn_reglu", gated("reglu"), gated_formula(act::relu), true, false) == "");
}
TEST_CASE("ffn-bilinear: values, gradients and second derivatives") {
  CHECK(verify("ffn_bilinear", gated("bilinear"), gated_formula(act::identity), true, false) == "");
}

TEST_CASE("feed-forward: biases are the literature's, unless asked for otherwise") {
  const nn::FeedForwardOptions usual{.d_model = 4, .d_ff = 6};
  CHECK(parameters_of(*make("relu", usual)) == Paths{"w1.weight [6, 4]", "w1.bias [6]", "w2.weight [4, 6]", "w2.bias [4]"});
  CHECK(parameters_of(*make("swiglu", usual)) == Paths{"w1.weight [6, 4]", "w2.weight [4, 6]", "w3.weight [6, 4]"});
  CHECK(parameters_of(*make("glu", usual)) == Paths{"w1.weight [6, 4]", "w1.bias [6]", "w2.weight [4, 6]", "w3.weight [6, 4]"});
  for (const auto& variant : nn::feed_forwards().variants) {
    CAPTURE(variant.name);
    nn::FeedForwardOptions o = usual;
    o.bias = FeedForwardBias::none;
    const int64_t bare = variant.value(o)->parameter_count();
    if (variant.name == "swiglu-beta") {
      CHECK(bare == 3 * 4 * 6 + 1);
      continue;
    }
    if (variant.name == "relu-weight-norm" || variant.name == "relu-weight-standard") {
      CHECK(bare == 2 * 4 * 6 + 6 + 4);  // the lengths, or gains, of the rows
      o.bias = FeedForwardBias::all;
      CHECK(variant.value(o)->parameter_count() == bare + 6 + 4);
      continue;
    }
    if (variant.name == "moe") {
      CHECK(bare == 8 * 3 * 4 * 6 + 8 * 4);  // the router
      o.bias = FeedForwardBias::all;
      CHECK(variant.value(o)->parameter_count() == bare + 8 * (6 + 4 + 6));
      continue;
    }
    CHECK((bare == 2 * 4 * 6 || bare == 3 * 4 * 6));
    o.bias = FeedForwardBias::all;
    CHECK(variant.value(o)->parameter_count() == (bare == 2 * 4 * 6 ? bare + 6 + 4 : bare + 6 + 4 + 6));
  }
}

TEST_CASE("norm-weight: the feed-forward layer with weight norm is W₂ f(W₁ x + b₁) + b₂ with rows g v / ‖v‖") {
  nn::UngatedFeedForward<nn::WeightNormLinear> layer(std::make_unique<nn::ActivationLayer>(nn::act::gelu), {.d_model = 4, .d_ff = 6});
  for (Tensor& p : layer.parameters()) p.assign(uniform(p.shape(), 0.5, 1.5));
  const Tensor x = randn({3, 4});
  const auto weight = [](const nn::WeightNormLinear& w) {
    return w.direction * unsqueeze(w.length, 1) / sqrt(sum(square(w.direction), 1, true));
  };
  const Tensor hidden = nn::act::gelu(matmul(x, transpose(weight(layer.w1))) + layer.w1.bias);
  CHECK(difference(layer(x), matmul(hidden, transpose(weight(layer.w2))) + layer.w2.bias, 1e-5) == "");
  CHECK_THROWS_AS(nn::feed_forwards().find("relu-weight-norm").value({.d_model = 4, .d_ff = 6, .bias = FeedForwardBias::gate}), ValueError);
}

TEST_CASE("feed-forward: every position by itself") {
  for (const auto& variant : nn::feed_forwards().variants) {
    CAPTURE(variant.name);
    const nn::LayerPtr layer = variant.value({.d_model = 4, .d_ff = 6});
    layer->to(DType::f64);
    layer->eval();  // in training, spectral norm's estimate of σ₁ moves from call to call
    const Tensor x = draw({5, 4}, -1, 1, 3), y = (*layer)(x);
    CHECK(difference((*layer)(flip(x, 0)), flip(y, 0), 1e-14) == "");
  }
}

TEST_CASE("feed-forward: dropout after the last matrix, in training only") {
  for (const auto& variant : nn::feed_forwards().variants) {
    CAPTURE(variant.name);
    const nn::LayerPtr layer = variant.value({.d_model = 16, .d_ff = 6, .dropout = 0.5});
    const Tensor x = ones({8, 16});
    const Tensor dropped = (*layer)(x);
    layer->eval();
    const Tensor whole = (*layer)(x);
    CHECK(sum(eq(dropped, zeros_like(x))).item() > 16);
    CHECK(difference(where(eq(dropped, zeros_like(x)), zeros_like(x), dropped / 2), where(eq(dropped, zeros_like(x)), zeros_like(x), whole),
                     1e-6) == "");
  }
}

TEST_CASE("ffn-width: 4d, or 8d/3 floored, rounded up to a multiple") {
  CHECK(nn::feed_forward_width(512, false) == 2048);
  CHECK(nn::feed_forward_width(4096, true, 1) == 10922);  // ⌊⅔ · 16384⌋
  CHECK(nn::feed_forward_width(4096, true, 256) == 11008);
  CHECK(nn::feed_forward_width(512, true, 64) == 1408);  // 1365.33…
  CHECK(nn::feed_forward_width(384, true, 64) == 1024);  // 8·384/3 as it is
  CHECK(nn::feed_forward_width(3, false, 64) == 64);
}

TEST_CASE("ffn-width: with and without a gate as many parameters, within the rounding") {
  for (const int64_t multiple : {1, 64, 256}) {
    for (const int64_t d : {96, 128, 500, 512, 4096}) {
      CAPTURE(d);
      const int64_t old = 2 * d * nn::feed_forward_width(d, false, multiple);
      const int64_t modern = 3 * d * nn::feed_forward_width(d, true, multiple);
      CHECK(std::abs(modern - old) <= 3 * d * multiple);
    }
  }
}

TEST_CASE("feed-forward: takes any activation, one that learns too") {
  nn::FeedForward leaky(act::leaky_relu(0.2), {.d_model = 4, .d_ff = 6});
  CHECK(leaky.describe() == "FeedForward(LeakyReLU(0.2))");
  CHECK(leaky(zeros({2, 4})).shape() == Shape{2, 4});
  nn::FeedForward layer(std::make_unique<nn::PReLU>(), {.d_model = 4, .d_ff = 6, .bias = FeedForwardBias::none});
  CHECK(parameters_of(layer) == Paths{"w1.weight [6, 4]", "activation.slope [1]", "w2.weight [4, 6]"});
  CHECK(layer(zeros({2, 4})).shape() == Shape{2, 4});
}

TEST_CASE("feed-forward: errors") {
  CHECK_THROWS_WITH_AS(make("swiglu", {.d_model = 4, .d_ff = 0}), "SwiGLU: d_ff must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS((*make("relu", {.d_model = 4, .d_ff = 6}))(zeros({2, 5})),
                       "FeedForward.w1, Linear(4 -> 6): linear: expected [..., 4], got [2, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(make("gelu", {.d_model = 4, .d_ff = 6, .bias = FeedForwardBias::gate}),
                       "FeedForward: there is no gate to have a bias; use none or all", ValueError);
  CHECK_THROWS_WITH_AS(nn::feed_forward_width(0, true), "feed_forward_width: d_model must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::feed_forward_width(8, true, 0), "feed_forward_width: multiple_of must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::feed_forwards().find("swigl"), "unknown feed-forward 'swigl'; did you mean 'swiglu'?", ValueError);
}
