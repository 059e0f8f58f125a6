#include <limits>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/convolution/pooling.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
using nn::AvgPool2dOptions;
using nn::MaxPool2dOptions;
using nn::Size2d;
using nn::Window;

namespace {

TensorFunction greatest(Size2d kernel, const MaxPool2dOptions& options = {}) {
  return [=](const Tensors& in) { return nn::max_pool2d(in[0], kernel, options); };
}

TensorFunction average(Size2d kernel, const AvgPool2dOptions& options = {}) {
  return [=](const Tensors& in) { return nn::avg_pool2d(in[0], kernel, options); };
}

std::string pooling_against_pytorch(const std::string& name, const TensorFunction& f) {
  return against_pytorch(name, f, "convolution.safetensors");
}

// One image of one channel.
Tensor image(const Tensor& rows) { return unsqueeze(unsqueeze(rows, 0), 0); }

// First and second derivatives against differences; f16 is f64's, rounded once.
std::string check_pooling(const TensorFunction& f, const Tensor& x) {
  const GradcheckReport first = gradcheck(f, {x}), second = gradgradcheck(f, {x});
  const Tensor half = cast(x, DType::f16), y = f({half});
  return (first.passed ? "" : first.text) + (second.passed ? "" : second.text) + (y.dtype() == DType::f16 ? "" : "not f16") +
         difference(cast(y, DType::f64), f({cast(half, DType::f64)}), 1.0 / 2048);
}

Tensor gradient_of_sum(const TensorFunction& f, Tensor x) {
  x.set_requires_grad();
  return grad({sum(f({x}))}, {x})[0];
}

}  // namespace

TEST_CASE("model-max-pool: values and gradients equal PyTorch's, with each option") {
  CHECK(pooling_against_pytorch("max_pool2d", greatest(2)) == "");
  CHECK(pooling_against_pytorch("max_pool2d/odd", greatest({3, 2})) == "");
  CHECK(pooling_against_pytorch("max_pool2d/stride", greatest(3, {.stride = {1, 2}})) == "");
  CHECK(pooling_against_pytorch("max_pool2d/padding", greatest({3, 2}, {.stride = 2, .padding = {1, 1}})) == "");
}

TEST_CASE("model-average-pool: values and gradients equal PyTorch's, with each option") {
  CHECK(pooling_against_pytorch("avg_pool2d", average(2)) == "");
  CHECK(pooling_against_pytorch("avg_pool2d/odd", average({3, 2})) == "");
  CHECK(pooling_against_pytorch("avg_pool2d/stride", average(3, {.stride = {1, 2}})) == "");
  CHECK(pooling_against_pytorch("avg_pool2d/padding", average({3, 2}, {.stride = 2, .padding = {1, 1}})) == "");
  CHECK(pooling_against_pytorch("avg_pool2d/pixels_alone", average({3, 2}, {.stride = 2, .padding = {1, 1}, .count_padding = false})) ==
        "");
}

TEST_CASE("model-max-pool, model-average-pool: first and second derivatives, and f16") {
  const Tensor x = draw({2, 2, 5, 6}, -1, 1, 1);
  for (const Window& w : {Window{.kernel = 2, .stride = 2}, Window{.kernel = {3, 2}, .stride = {1, 3}, .padding = {1, 0}},
                          Window{.kernel = {5, 4}, .stride = {4, 1}, .padding = {2, 2}}}) {
    CHECK(check_pooling(greatest(w.kernel, {.stride = w.stride, .padding = w.padding}), x) == "");
    for (const bool count : {true, false}) {
      CHECK(check_pooling(average(w.kernel, {.stride = w.stride, .padding = w.padding, .count_padding = count}), x) == "");
    }
  }
}

TEST_CASE("model-max-pool: equal values share the gradient; a pixel gets that of every window which it leads") {
  const Tensor tied = image(tensor({{7, 1, 5, 5}, {7, 7, 5, 5}}));
  const Tensor expected = image(tensor({{1.0 / 3, 0, 0.25, 0.25}, {1.0 / 3, 1.0 / 3, 0.25, 0.25}}));
  CHECK(difference(gradient_of_sum(greatest(2), tied), expected, 1e-7) == "");
  const Tensor peak = image(tensor({{0, 0, 0}, {0, 9, 0}, {0, 0, 0}}));
  CHECK(equal(gradient_of_sum(greatest(2, {.stride = 1}), peak), image(tensor({{0, 0, 0}, {0, 4, 0}, {0, 0, 0}}))));
}

TEST_CASE(
    "convention-ties: of m equal ones each gets 1/m of the gradient, in max, maximum and max_pool2d; elsewhere the first gets it all") {
  const auto slope = [](auto f, const Tensor& given) {
    const Tensor x = given.detached_copy().set_requires_grad();
    return flatten(grad({sum(f(x))}, {x})[0]);
  };
  const Tensor x = tensor({1, 3, 3});
  CHECK(to_vector(slope([](const Tensor& t) { return max(t, 0); }, x)) == Values{0, 0.5, 0.5});  // PyTorch 2.15: 0, 1, 0
  CHECK(to_vector(slope([](const Tensor& t) { return max(t); }, x)) == Values{0, 0.5, 0.5});     // so PyTorch without an axis
  CHECK(to_vector(slope([](const Tensor& t) { return maximum(t, full({3}, 3)); }, x)) == Values{0, 0.5, 0.5});  // and in maximum
  CHECK(to_vector(slope([](const Tensor& t) { return nn::max_pool2d(t, 2); }, image(ones({2, 2})))) ==
        Values{0.25, 0.25, 0.25, 0.25});  // PyTorch: 1, 0, 0, 0
}

TEST_CASE("model-max-pool: the padding is below every value, and a NaN is seen") {
  const Tensor x = image(tensor({{-5, -6}, {-7, -8}}));
  CHECK(equal(nn::max_pool2d(x, 2, {.padding = 1}), x));
  CHECK(equal(nn::max_pool2d(cast(x, DType::f16), 2, {.padding = 1}), cast(x, DType::f16)));
  Tensor with_nan = image(tensor({{1, 2, 3, 4}, {5, 6, 7, 8}}));
  for (const std::vector<int64_t>& at : {std::vector<int64_t>{0, 0, 0, 0}, {0, 0, 1, 1}}) {
    Tensor changed = clone(with_nan);
    changed.set(at, std::numeric_limits<double>::quiet_NaN());
    CHECK(equal(isnan(nn::max_pool2d(changed, 2)), image(tensor({{1, 0}}, DType::i64))));
  }
}

TEST_CASE("model-average-pool: at the border, zeros of the padding count, or pixels alone") {
  const Tensor x = image(ones({4, 4}));
  CHECK(equal(nn::avg_pool2d(x, 2, {.padding = 1}), image(tensor({{0.25, 0.5, 0.25}, {0.5, 1, 0.5}, {0.25, 0.5, 0.25}}))));
  CHECK(equal(nn::avg_pool2d(x, 2, {.padding = 1, .count_padding = false}), image(ones({3, 3}))));
}

TEST_CASE("MaxPool2d, AvgPool2d: options reach the layer; names and empty batches") {
  const Tensor x = draw({2, 3, 6, 7}, -1, 1, 1);
  nn::MaxPool2d max_pool({3, 2}, {.stride = {1, 2}, .padding = {1, 0}});
  CHECK(equal(max_pool(x), nn::max_pool2d(x, {3, 2}, {.stride = {1, 2}, .padding = {1, 0}})));
  CHECK(max_pool.describe() == "MaxPool2d(3 × 2, stride 1 × 2, padding 1 × 0)");
  CHECK(nn::MaxPool2d(2).describe() == "MaxPool2d(2 × 2)");
  nn::AvgPool2d avg_pool({3, 2}, {.stride = {1, 2}, .padding = {1, 0}, .count_padding = false});
  CHECK(equal(avg_pool(x), nn::avg_pool2d(x, {3, 2}, {.stride = {1, 2}, .padding = {1, 0}, .count_padding = false})));
  CHECK(avg_pool.describe() == "AvgPool2d(3 × 2, stride 1 × 2, padding 1 × 0, padding not counted)");
  CHECK(nn::AvgPool2d(2).describe() == "AvgPool2d(2 × 2)");
  CHECK(nn::MaxPool2d(2)(zeros({0, 3, 4, 4})).shape() == Shape{0, 3, 2, 2});
  CHECK(nn::AvgPool2d(2)(zeros({0, 3, 4, 4})).shape() == Shape{0, 3, 2, 2});
  CHECK(max_pool.parameter_count() == 0);
}

TEST_CASE("MaxPool2d, AvgPool2d: errors") {
  CHECK_THROWS_WITH_AS(nn::MaxPool2d(0), "MaxPool2d: the kernel must be positive, got 0 × 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::AvgPool2d(2, {.stride = {1, 0}}), "AvgPool2d: the stride must be positive, got 1 × 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::MaxPool2d({3, 4}, {.padding = {2, 2}}), "MaxPool2d: the padding 2 × 2 must be at most half of the kernel, 3 × 4",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::AvgPool2d({4, 3}, {.padding = {2, 2}}), "AvgPool2d: the padding 2 × 2 must be at most half of the kernel, 4 × 3",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::max_pool2d(zeros({1, 1, 4, 4}), 2, {.padding = -1}), "max_pool2d: the padding must not be negative, got -1 × -1",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::max_pool2d(zeros({4, 4}), 2), "max_pool2d: expected x [N, C, H, W], got [4, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::avg_pool2d(zeros({1, 4, 4}), 2),
                       "avg_pool2d: expected x [N, C, H, W], got [1, 4, 4]; use unsqueeze(x, 0) for one image", ShapeError);
  CHECK_THROWS_WITH_AS(nn::avg_pool2d(zeros({1, 1, 2, 4}), 3),
                       "avg_pool2d: a window of 3 × 3 is larger than the padded image, 2 × 4; x has shape [1, 1, 2, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::max_pool2d(zeros({1, 1, 4, 4}, DType::i64), 2),
                       "max_pool2d: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
}
