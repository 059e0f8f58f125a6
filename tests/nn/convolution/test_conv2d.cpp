#include "nn/convolution/conv2d.h"

#include <cmath>

#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;
using nn::Steps2d;

namespace {

Tensor third(const Tensors& in) { return in.size() > 2 ? in[2] : Tensor(); }

TensorFunction fast(const Steps2d& steps) {
  return [=](const Tensors& in) { return nn::conv2d(in[0], in[1], third(in), steps); };
}

TensorFunction by_formula(const Steps2d& s) {
  return [=](const Tensors& in) {
    const nn::Window window{{in[1].size(2), in[1].size(3)}, s.stride, s.padding, s.dilation};
    return nn::formula::conv2d(in[0], in[1], third(in), window);
  };
}

std::string conv2d_against_pytorch(const std::string& name, const Steps2d& steps = {}) {
  return against_pytorch(name, fast(steps), "convolution.safetensors");
}

}  // namespace

TEST_CASE("model-conv2d: a window's sum of products, by hand: the kernel is not flipped") {
  const Tensor x = reshape(tensor({{1, 2, 0}, {0, 3, 1}, {4, 0, 2}}), {1, 1, 3, 3});
  const Tensor weight = reshape(tensor({{1, 10}, {100, 1000}}), {1, 1, 2, 2});
  CHECK(equal(nn::conv2d(x, weight), reshape(tensor({{3021, 1302}, {430, 2013}}), {1, 1, 2, 2})));
  CHECK(equal(nn::conv2d(x, weight, tensor({0.5})), reshape(tensor({{3021.5, 1302.5}, {430.5, 2013.5}}), {1, 1, 2, 2})));
  CHECK(equal(nn::conv2d(x, weight, {}, {.stride = 2, .padding = 1}), reshape(tensor({{1000, 200}, {4000, 2013}}), {1, 1, 2, 2})));
  CHECK(equal(nn::conv2d(x, weight, {}, {.dilation = 2}), reshape(tensor({1.0 + 400 + 2000}), {1, 1, 1, 1})));
}

TEST_CASE("model-conv2d: a window that is wider than the image, with padding beside it alone, by hand") {
  const Tensor x = reshape(tensor({{1, 2}, {4, 8}}), {1, 1, 2, 2}), weight = reshape(tensor({10, 100, 1000, 10000}), {1, 1, 1, 4});
  const nn::Window window{{1, 4}, {1, 2}, {0, 1}, 1};  // the last tap is beyond the image
  const Tensor expected = reshape(tensor({2100, 8400}), {1, 1, 2, 1});
  CHECK(equal(nn::conv2d(x, weight, {}, {.stride = window.stride, .padding = window.padding}), expected));
  CHECK(equal(nn::formula::conv2d(x, weight, {}, window), expected));
}

TEST_CASE("model-conv2d: of no channels there is the bias alone") {
  CHECK(equal(nn::conv2d(zeros({1, 0, 3, 3}), zeros({1, 0, 2, 2}), tensor({7})), full({1, 1, 2, 2}, 7)));
}

TEST_CASE("model-conv2d: values and all gradients equal PyTorch's, with each option") {
  CHECK(conv2d_against_pytorch("conv2d") == "");
  CHECK(conv2d_against_pytorch("conv2d/no_bias") == "");
  CHECK(conv2d_against_pytorch("conv2d/one_tap") == "");
  CHECK(conv2d_against_pytorch("conv2d/stride", {.stride = {2, 3}}) == "");
  CHECK(conv2d_against_pytorch("conv2d/padding", {.padding = {2, 1}}) == "");
  CHECK(conv2d_against_pytorch("conv2d/dilation", {.dilation = {2, 3}}) == "");
  CHECK(conv2d_against_pytorch("conv2d/all", {.stride = {3, 2}, .padding = {1, 2}, .dilation = {1, 2}}) == "");
}

TEST_CASE("model-conv2d: the fast path is the formula, with first and second derivatives, in every dtype") {
  const Tensors inputs{draw({2, 2, 4, 5}, -1, 1, 1), draw({2, 2, 2, 3}, -1, 1, 2), draw({2}, -1, 1, 3)};
  for (const Steps2d& steps : {Steps2d{}, Steps2d{.stride = {2, 1}, .padding = {1, 0}}, Steps2d{.padding = {2, 3}, .dilation = {3, 2}},
                               Steps2d{.stride = {3, 4}, .padding = {4, 3}}}) {
    CHECK(check_fused("conv2d", fast(steps), by_formula(steps), inputs) == "");
    CHECK(check_fused("conv2d, no bias", fast(steps), by_formula(steps), {inputs[0], inputs[1]}) == "");
  }
}

TEST_CASE("model-conv2d: the weight's gradient is right for many images, whatever the number of threads") {
  const Tensors inputs{draw({70, 2, 5, 5}, -1, 1, 1), draw({3, 2, 3, 3}, -1, 1, 2), draw({3}, -1, 1, 3)};
  CHECK(check_fused("conv2d", fast({.padding = 1}), by_formula({.padding = 1}), inputs, {.differences = false}) == "");
  const auto gradients = [](int count, int64_t images) {
    const Threads threads(count);
    Tensors leaves{cast(draw({images, 8, 16, 16}, -1, 1, 1), DType::f32), cast(draw({16, 8, 3, 3}, -1, 1, 4), DType::f32), zeros({16})};
    for (Tensor& x : leaves) x.set_requires_grad();
    const Tensor y = fast({.padding = 1})(leaves);
    Tensors all = grad({y}, leaves, {.seeds = {cast(draw(y.shape(), -1, 1, 9), DType::f32)}});
    all.push_back(y.detach());
    return all;
  };
  for (const int64_t images : {1, 70}) {
    const Tensors one = gradients(1, images), three = gradients(3, images);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(equal(one[i], three[i]));
  }
}

TEST_CASE("model-conv2d: a shift of the image shifts the result") {
  const Tensor x = draw({1, 2, 7, 6}, -1, 1, 1), weight = draw({3, 2, 3, 3}, -1, 1, 2);
  const Tensor moved = pad(slice(x, 3, 0, 5), {{0, 0}, {0, 0}, {0, 0}, {1, 0}});
  CHECK(difference(slice(nn::conv2d(moved, weight), 3, 1), slice(nn::conv2d(x, weight), 3, 0, 3), 1e-14) == "");
}

TEST_CASE("Conv2d: its start is PyTorch's: weight and bias uniform in ±1/√fan_in") {
  manual_seed(1);
  nn::Conv2d layer(8, 64, {3, 2});
  const double bound = 1 / std::sqrt(8 * 3 * 2);
  for (const Tensor& parameter : layer.parameters()) {
    CHECK(max(abs(parameter)).item() <= bound);
    CHECK(max(abs(parameter)).item() > 0.9 * bound);
    CHECK(mean(square(parameter)).item() == doctest::Approx(bound * bound / 3).epsilon(0.25));
    CHECK(std::abs(mean(parameter).item()) < 0.2 * bound);
  }
  CHECK(max(abs(layer.weight)).item() > 0.998 * bound);  // of 3072 numbers
  CHECK(mean(square(layer.weight)).item() == doctest::Approx(bound * bound / 3).epsilon(0.05));
  manual_seed(1);
  CHECK(equal(nn::Conv2d(8, 64, {3, 2}).weight, layer.weight));
}

TEST_CASE("Conv2d: each option reaches the layer; its name, parameters and empty batches") {
  const Tensor x = cast(draw({2, 3, 8, 9}, -1, 1, 1), DType::f32);
  nn::Conv2d layer(3, 4, {3, 2}, {.stride = {2, 1}, .padding = {1, 0}, .dilation = {1, 2}});
  CHECK(equal(layer(x), nn::conv2d(x, layer.weight, layer.bias, {.stride = {2, 1}, .padding = {1, 0}, .dilation = {1, 2}})));
  CHECK(layer(x).shape() == Shape{2, 4, 4, 7});
  CHECK(layer.describe() == "Conv2d(3 -> 4, 3 × 2, stride 2 × 1, padding 1 × 0, dilation 1 × 2)");
  nn::Conv2d plain(3, 4, 3, {.bias = false});
  CHECK(plain.describe() == "Conv2d(3 -> 4, 3 × 3, no bias)");
  CHECK(plain.parameter_count() == 4 * 3 * 3 * 3);
  const auto named = layer.named_parameters();
  REQUIRE(named.size() == 2);
  CHECK(named[0].name == "weight");
  CHECK(named[0].role == Role::weight);
  CHECK(named[1].name == "bias");
  CHECK(named[1].role == Role::bias);
  CHECK(plain(zeros({0, 3, 5, 5})).shape() == Shape{0, 4, 3, 3});
  Tensor empty = zeros({0, 3, 5, 5});
  sum(plain(empty)).backward();
  CHECK(equal(plain.weight.grad(), zeros({4, 3, 3, 3})));
}

TEST_CASE("Conv2d: errors") {
  nn::Conv2d layer(3, 4, 5);
  CHECK_THROWS_WITH_AS(layer(zeros({3, 8, 8})),
                       "Conv2d(3 -> 4, 5 × 5): conv2d: expected x [N, C, H, W], got [3, 8, 8]; use unsqueeze(x, 0) for one image",
                       ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3})), "Conv2d(3 -> 4, 5 × 5): conv2d: expected x [N, C, H, W], got [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 1, 8, 8})),
                       "Conv2d(3 -> 4, 5 × 5): conv2d: x [2, 1, 8, 8] has 1 channels, but the weight [4, 3, 5, 5] takes 3", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3, 4, 8})),
                       "Conv2d(3 -> 4, 5 × 5): conv2d: a window of 5 × 5 is larger than the padded image, 4 × 8; x has shape [2, 3, 4, 8]",
                       ShapeError);
  nn::Conv2d dilated(1, 1, 3, {.padding = 1, .dilation = 3});
  CHECK_THROWS_WITH_AS(dilated(zeros({1, 1, 5, 4})),
                       "Conv2d(1 -> 1, 3 × 3, padding 1 × 1, dilation 3 × 3): conv2d: a window of 7 × 7 is larger than the padded image, 7 "
                       "× 6; x has shape [1, 1, 5, 4]",
                       ShapeError);
  CHECK(dilated(zeros({1, 1, 5, 5})).shape() == Shape{1, 1, 1, 1});
  CHECK_THROWS_WITH_AS(nn::conv2d(zeros({1, 1, 3, 3}), zeros({3, 3})), "conv2d: expected a weight [out, C, height, width], got [3, 3]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::conv2d(zeros({1, 1, 3, 3}), zeros({2, 1, 3, 3}), zeros({1})),
                       "conv2d: the weight [2, 1, 3, 3] needs a bias of shape [2], got [1]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::Conv2d(0, 4, 3), "Conv2d: both numbers of channels must be positive, got 0 -> 4", ValueError);
  CHECK_THROWS_WITH_AS(nn::Conv2d(1, 1, {3, 0}), "Conv2d: the kernel must be positive, got 3 × 0", ValueError);
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();  // sizes that would wrap around
  const Tensor image = zeros({1, 1, 4, 4}), taps = zeros({1, 1, 3, 3});
  CHECK_THROWS_WITH_AS(nn::conv2d(image, taps, {}, {.dilation = huge}),
                       "conv2d: the dilation must be at most 1073741824, got 9223372036854775807 × 9223372036854775807", ValueError);
  CHECK_THROWS_AS(nn::conv2d(image, taps, {}, {.padding = huge}), ValueError);
  CHECK_THROWS_WITH_AS(nn::Conv2d(1, 1, 3, {.stride = {0, 1}}), "Conv2d: the stride must be positive, got 0 × 1", ValueError);
  CHECK_THROWS_WITH_AS(nn::Conv2d(1, 1, 3, {.padding = {0, -1}}), "Conv2d: the padding must not be negative, got 0 × -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::Conv2d(1, 1, 3, {.dilation = 0}), "Conv2d: the dilation must be positive, got 0 × 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::conv2d(zeros({1, 1, 3, 3}), zeros({1, 1, 3, 3}), {}, {.stride = -1}),
                       "conv2d: the stride must be positive, got -1 × -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::conv2d(zeros({1, 1, 3, 3}, DType::i64), zeros({1, 1, 3, 3})),
                       "conv2d: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
  CHECK_THROWS_AS(layer(zeros({2, 3, 8, 8}, DType::f64)), DTypeError);
}
