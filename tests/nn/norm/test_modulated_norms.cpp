// Norms whose γ comes from elsewhere, and their kin: dynamic tanh, adaptive, weight and deep norm.
#include "core/inspect/compare.h"
#include "nn/block/deep_norm.h"
#include "nn/norm/adaptive_norm.h"
#include "nn/norm/dynamic_function.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/weight_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const TensorFunction dynamic_tanh = [](const Tensors& in) { return nn::dynamic_tanh(in[0], in[1], in[2], in[3]); };
const TensorFunction dynamic_erf = [](const Tensors& in) { return nn::dynamic_erf(in[0], in[1], in[2], in[3], in[4]); };
const TensorFunction adaptive = [](const Tensors& in) { return nn::adaptive_norm(in[0], in[1], in[2]); };
const TensorFunction weight_norm = [](const Tensors& in) { return nn::weight_norm(in[0], in[1]); };

// A step of the placement with f(x) given: x, f(x), γ, β.
Tensor deep_norm(const Tensors& in, double alpha) {
  const auto layer_norm = [&] {
    auto norm = std::make_unique<nn::LayerNorm>(in[2].shape());
    static_cast<Tensor&>(norm->gain) = in[2];
    static_cast<Tensor&>(norm->bias) = in[3];
    return norm;
  };
  nn::DeepNorm placement({.make_norm = layer_norm, .d_model = in[0].size(-1), .sublayers = {nn::SublayerKind::feed_forward}, .stack = {}},
                         {.alpha = alpha, .beta = 1});
  FunctionLayer f([&](const Tensor&) { return in[1]; });
  return placement({in[0]}, {f}).x;
}
const TensorFunction deep = [](const Tensors& in) { return deep_norm(in, 3); };

Tensor single(const Tensor& x) { return cast(x, DType::f32); }

}  // namespace

TEST_CASE("norm-dyt, norm-adaptive, norm-weight, norm-deep: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("dynamic_tanh", dynamic_tanh) == "");
  CHECK(norm_against_pytorch("adaptive_norm", adaptive) == "");
  CHECK(norm_against_pytorch("weight_norm", weight_norm) == "");
  CHECK(norm_against_pytorch("deep_norm", deep) == "");
}

TEST_CASE("norm-dyt, norm-weight: derivatives equal differences") {
  CHECK(check_derivatives(dynamic_tanh, {draw({3, 4}, 3), tensor(0.7, DType::f64), draw({4}, 4), draw({4}, 5)}) == "");
  CHECK(check_derivatives(weight_norm, {draw({3, 4}, 3), draw({3}, 4)}) == "");
}

TEST_CASE("norm-adaptive, norm-deep: the fast path is the formula, LN(αx + f(x)) for deep norm") {
  CHECK(check_fused("adaptive_norm", adaptive, [](const Tensors& in) { return nn::formula::adaptive_norm(in[0], in[1], in[2], 1e-5); },
                    {draw({2, 3, 4}, 3), draw({2, 1, 4}, 4), draw({2, 1, 4}, 5)}) == "");
  CHECK(check_fused("deep_norm", deep,
                    [](const Tensors& in) { return nn::formula::layer_norm(3 * in[0] + in[1], {4}, in[2], in[3], 1e-5); },
                    {draw({3, 4}, 3), draw({3, 4}, 6), draw({4}, 4), draw({4}, 5)}) == "");
}

TEST_CASE("norm-dyt: is linear near 0, and never beyond γ and β") {
  nn::DynamicTanh norm(3);
  CHECK(norm(full({2, 3}, 1e-4)).at({0, 0}) == doctest::Approx(0.5e-4));
  CHECK(equal(norm(full({2, 3}, 1e4)), ones({2, 3})));
  CHECK(norm.parameter_count() == 7);
  CHECK_THROWS_WITH_AS(nn::DynamicTanh(0), "DynamicTanh: the width must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 4})), "DynamicTanh(3): dynamic_tanh: x has shape [2, 4], so the gain must have shape [4], got [3]",
                       ShapeError);
}

TEST_CASE("norm-derf: values and gradients are those of x-transformers; derivatives equal differences") {
  CHECK(against_pytorch("derf", dynamic_erf, "published.safetensors") == "");
  const Tensor slope = tensor(0.7, DType::f64), shift = tensor(-0.3, DType::f64);
  CHECK(check_derivatives(dynamic_erf, {draw({3, 4}, 3), slope, shift, draw({4}, 4), draw({4}, 5)}) == "");
}

TEST_CASE("norm-derf: is β at -s/α, has the slope 2α/√π there, never goes beyond γ and β, and is twice Φ(√2 z) - 1") {
  const Tensor slope = tensor(0.5, DType::f64), shift = tensor(0.25, DType::f64), one = tensor({1}, DType::f64);
  const auto derf = [&](const Tensor& x) { return nn::dynamic_erf(x, slope, shift, one, 3 * one); };
  const Tensor centre = tensor({-0.5}, DType::f64).set_requires_grad();
  CHECK(derf(centre).item() == 3);
  CHECK(gradient(derf(centre), centre, one).item() == doctest::Approx(1 / std::sqrt(std::acos(-1.0))).epsilon(1e-14));
  CHECK(derf(tensor({1e4}, DType::f64)).item() == 4);
  CHECK(derf(tensor({-1e4}, DType::f64)).item() == 2);
  CHECK(derf(tensor({1}, DType::f64)).item() == doctest::Approx(3 + 1 - std::erfc(0.75)).epsilon(1e-14));
  nn::DynamicErf norm(3);
  CHECK(norm(full({2, 3}, 1e-4)).at({0, 0}) == doctest::Approx(1e-4 / std::sqrt(std::acos(-1.0))));
  CHECK(norm.parameter_count() == 8);
  CHECK_THROWS_WITH_AS(nn::DynamicErf(0), "DynamicErf: the width must be positive, got 0", ValueError);
}

TEST_CASE("norm-adaptive: zero-initialised it is the plain layer norm with a silent gate, whatever the condition") {
  nn::AdaptiveNorm norm(4, 3, {.gate = true});
  norm.parameters();
  const Tensor x = single(draw({2, 5, 4}, 3)), condition = single(draw({2, 3}, 7));
  const auto [y, gate] = norm(x, condition);
  CHECK(equal(y, nn::layer_norm(x, {4})));
  CHECK(equal(gate, zeros({2, 1, 4})));
  const Tensor loss = sum(square(y + gate * y));
  loss.backward();
  CHECK(max(abs(norm.modulation.weight.grad())).item() > 0.1);  // and yet it learns
}

TEST_CASE("norm-adaptive: the condition gives scale, shift and gate, in this order: x̂ ⊙ (1 + s) + t, and the gate") {
  nn::AdaptiveNorm norm(2, 1, {.gate = true});
  norm.to(DType::f64);
  norm.modulation.weight.assign(tensor({{1}, {2}, {10}, {20}, {100}, {200}}, DType::f64));
  norm.modulation.bias.assign(tensor({0.5, 0.25, 0, 0, 0, 7}, DType::f64));
  const Tensor x = tensor({{{5, 1}, {-2, 8}}, {{3, 0}, {0, 1}}}, DType::f64), condition = tensor({{1}, {-3}}, DType::f64);
  const auto [y, gate] = norm(x, condition);
  for (int64_t b = 0; b < 2; ++b) {
    const double c = condition.at({b, 0});
    for (int64_t t = 0; t < 2; ++t) {
      // For two values, x̂ is half their difference d over √(d² + ε), and its negative.
      const double d = (x.at({b, t, 0}) - x.at({b, t, 1})) / 2, x_hat = d / std::sqrt(d * d + 1e-5);
      CHECK(y.at({b, t, 0}) == doctest::Approx(x_hat * (1 + c + 0.5) + 10 * c).epsilon(1e-13));
      CHECK(y.at({b, t, 1}) == doctest::Approx(-x_hat * (1 + 2 * c + 0.25) + 20 * c).epsilon(1e-13));
    }
    CHECK(gate.at({b, 0, 0}) == 100 * c);
    CHECK(gate.at({b, 0, 1}) == 200 * c + 7);
  }
}

TEST_CASE("norm-adaptive: otherwise each sample has its own γ and β, for all its tokens") {
  nn::AdaptiveNorm norm(4, 3, {.zero_start = false});
  const Tensor token = single(draw({1, 1, 4}, 3)), condition = single(draw({2, 3}, 7));
  const auto result = norm(expand(token, {2, 5, 4}), condition);
  const Tensor y = result.y;
  CHECK_FALSE(result.gate.defined());
  CHECK(norm.parameter_count() == 2 * 4 * (3 + 1));  // γ and β of each feature: weights and a bias
  CHECK(equal(slice(y, 1, 0, 1), slice(y, 1, 4, 5)));
  CHECK(max_difference(select(y, 0, 0), select(y, 0, 1)) > 0.1);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 5, 4}), zeros({3, 3})),
                       "AdaptiveNorm(4): expected x [B, ..., 4] and a condition [B, 3], got [2, 5, 4] and [3, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::AdaptiveNorm(4, 3, {.eps = -1}), "AdaptiveNorm: eps must be finite and not negative, got -1", ValueError);
}

TEST_CASE("norm-weight: rows have length g, whatever v's; dL/dv is at right angles to v; it starts as v") {
  const Tensor v = draw({4, 5}, 3).set_requires_grad(), g = draw({4}, 4);
  const Tensor w = nn::weight_norm(v, g);
  CHECK(difference(sqrt(sum(square(w), 1)), abs(g), 1e-14) == "");
  CHECK(difference(nn::weight_norm(7 * v, g), w, 1e-14) == "");
  CHECK(difference(sum(gradient(w, v, draw({4, 5}, 9)) * v, 1), constant({4}, 0), 1e-14) == "");
  nn::WeightNormLinear layer(5, 4);
  CHECK(difference(nn::weight_norm(layer.direction, layer.length), layer.direction, 1e-6) == "");
  const Tensor x = single(draw({3, 5}, 3));
  CHECK(difference(layer(x), matmul(x, layer.direction, {.transpose_b = true}), 1e-6) == "");
  CHECK(layer.parameter_count() == 20 + 4 + 4);
  CHECK(layer.describe() == "WeightNormLinear(5 -> 4)");
  CHECK_THROWS_WITH_AS(layer(zeros({3, 4})), "WeightNormLinear(5 -> 4): linear: expected [..., 5], got [3, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::weight_norm(zeros({3, 4}), zeros({4})),
                       "weight_norm: expected directions [out, in] and lengths [out], got [3, 4] and [4]", ShapeError);
}

TEST_CASE("norm-deep, erratum-10: x in αx + f(x) is the sublayer's input; α = 1 is post-norm") {
  const Tensor x = draw({3, 4}, 3), gain = constant({4}, 1), bias = constant({4}, 0);
  nn::DeepNorm placement({.make_norm = [] { return std::make_unique<nn::LayerNorm>(Shape{4}); },
                          .d_model = 4,
                          .sublayers = {nn::SublayerKind::feed_forward, nn::SublayerKind::feed_forward},
                          .stack = {}},
                         {.alpha = 2.5, .beta = 1});
  placement.to(DType::f64);
  Tensors inputs;
  FunctionLayer f([&](const Tensor& input) { return inputs.emplace_back(input), sin(input); });
  const Tensor y = placement({x}, {f, f}).x;
  CHECK(equal(inputs[0], x));
  CHECK(equal(inputs[1], nn::layer_norm(2.5 * x + sin(x), {4})));  // of the second sublayer, what the first has left
  CHECK(equal(y, nn::layer_norm(2.5 * inputs[1] + sin(inputs[1]), {4})));
  CHECK(equal(deep_norm({x, sin(x), gain, bias}, 1), nn::layer_norm(x + sin(x), {4})));
}

TEST_CASE("norm-weight: in f16 it computes in f32 and rounds once: rows whose square f16 cannot hold have length g") {
  for (const double size : {100.0, 1e-4}) {
    CAPTURE(size);
    const Tensor v = full({2, 256}, size, DType::f16), g = tensor({1, 3}, DType::f16);
    const Tensor w = nn::weight_norm(v, g);
    CHECK(w.dtype() == DType::f16);
    CHECK(w.at({0, 7}) == 1.0 / 16);
    CHECK(w.at({1, 0}) == 3.0 / 16);
  }
}
