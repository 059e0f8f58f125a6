// Linear, Embedding, Dropout.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

double mean_of(const Tensor& x) { return mean(cast(x, DType::f64)).item(); }

}  // namespace

TEST_CASE("linear: x Wᵀ + b, the bias or not; Linear is the layer of it") {
  const Tensor x = tensor({{1, 2}, {3, 4}}), w = tensor({{1, 0}, {0, 1}, {1, 1}}), b = tensor({10, 20, 30});
  CHECK(equal(nn::linear(x, w), tensor({{1, 2, 3}, {3, 4, 7}})));
  CHECK(equal(nn::linear(x, w, b), tensor({{11, 22, 33}, {13, 24, 37}})));
  nn::Linear layer(2, 3);
  CHECK(equal(layer(x), nn::linear(x, layer.weight, layer.bias)));
  CHECK_THROWS_AS(nn::linear(x, transpose(w)), ShapeError);
}

TEST_CASE("Linear: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("linear", [](const Tensors& in) {
          nn::Linear layer(4, 5);
          layer.weight.share(in[1]);
          layer.bias.share(in[2]);
          return layer(in[0]);
        }) == "");
  CHECK(against_pytorch("linear/no_bias", [](const Tensors& in) {
          nn::Linear layer(4, 5, {.bias = false});
          layer.weight.share(in[1]);
          return layer(in[0]);
        }) == "");
}

TEST_CASE("Linear: a vector in, a vector out; the bias starts at 0") {
  nn::Linear layer(3, 2);
  CHECK(layer(ones({3})).shape() == Shape{2});
  CHECK(equal(layer.bias, zeros({2})));
  CHECK(layer.describe() == "Linear(3 -> 2)");
  CHECK(nn::Linear(3, 2, {.bias = false}).describe() == "Linear(3 -> 2, no bias)");
}

TEST_CASE("Linear: errors") {
  CHECK_THROWS_WITH_AS(nn::Linear(0, 2), "Linear: both sizes must be positive, got 0 -> 2", ValueError);
  CHECK_THROWS_WITH_AS(nn::Linear(2, -1), "Linear: both sizes must be positive, got 2 -> -1", ValueError);
  nn::Linear layer(3, 2);
  CHECK_THROWS_WITH_AS(layer(zeros({3, 4})), "Linear: expected [..., 3], got [3, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(tensor(1)), "Linear: expected [..., 3], got []", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3}, DType::f64)),
                       "Linear: the input is f64, the weight f32; use cast(x, DType::f32) first", DTypeError);
}

TEST_CASE("model-embedding: values and gradients equal PyTorch's; the gradients of repeated ids add") {
  const Tensor ids = tensor({{3, 1, 3, 0}, {2, 3, 3, 1}}, DType::i64);
  CHECK(against_pytorch("embedding", [&](const Tensors& in) {
          nn::Embedding layer(5, 3);
          layer.weight.share(in[0]);
          return layer(ids);
        }) == "");
  nn::Embedding layer(5, 3);
  layer.parameters();
  sum(layer(ids)).backward();
  CHECK(to_vector(sum(layer.weight.grad(), -1)) == Values{3 * 1, 3 * 2, 3 * 1, 3 * 4, 0});
}

TEST_CASE("model-embedding: ids of any shape") {
  nn::Embedding layer(5, 3);
  CHECK(layer(tensor(2, DType::i64)).shape() == Shape{3});
  CHECK(layer(zeros({2, 3, 4}, DType::i64)).shape() == Shape{2, 3, 4, 3});
  CHECK(layer(zeros({0, 4}, DType::i64)).shape() == Shape{0, 4, 3});
  CHECK(layer.describe() == "Embedding(5 x 3)");
}

TEST_CASE("Embedding: errors") {
  CHECK_THROWS_WITH_AS(nn::Embedding(0, 3), "Embedding: both sizes must be positive, got 0 rows of 3", ValueError);
  nn::Embedding layer(5, 3);
  CHECK_THROWS_WITH_AS(layer(tensor({1, 5}, DType::i64)), "index_select: id 5 is out of range; expected 0 … 4", ValueError);
  CHECK_THROWS_WITH_AS(layer(tensor({-1}, DType::i64)), "index_select: id -1 is out of range; expected 0 … 4", ValueError);
  CHECK_THROWS_WITH_AS(layer(tensor({1})), "index_select: indices must be i64, got f32; use cast(indices, DType::i64)", DTypeError);
}

TEST_CASE("regular-dropout: drops a share p, divides the rest by 1 - p, and so keeps the mean") {
  manual_seed(4);
  const Tensor y = nn::dropout(ones({100, 1000}), 0.3);
  const double dropped = mean_of(cast(eq(y, scalar_like(y, 0)), DType::f64));
  CHECK(std::abs(dropped - 0.3) < 5 * std::sqrt(0.3 * 0.7 / 1e5));  // five standard deviations
  CHECK(std::abs(mean_of(y) - 1) < 5 * std::sqrt(0.3 / 0.7 / 1e5));
  for (const double value : to_vector(slice(y, 0, 0, 1))) CHECK((value == 0 || value == doctest::Approx(1 / 0.7)));
}

TEST_CASE("regular-dropout: in f16, 1 / (1 - p) may be more than it can hold") {
  manual_seed(4);
  const Tensor y = nn::dropout(full({1'000'000}, 0.25, DType::f16), 0.99999);
  CHECK(max(y).item() == tensor(25'000, DType::f16).item());
  CHECK(min(y).item() == 0);
}

TEST_CASE("regular-dropout: the gradient passes where the value did") {
  manual_seed(4);
  const Tensor x = full({50}, 2).set_requires_grad();
  const Tensor y = nn::dropout(x, 0.5);
  CHECK(equal(grad({y}, {x}, {.seeds = {ones({50})}})[0], y.detach() / 2));
}

TEST_CASE("regular-dropout: the identity in eval and for p = 0; new masks at every call, the same for the same seed") {
  nn::Dropout layer(0.5);
  const Tensor x = ones({100});
  layer.eval();
  CHECK(layer(x).same_as(x));
  CHECK(nn::dropout(x, 0).same_as(x));
  layer.train();
  manual_seed(1);
  const Tensor first = layer(x), second = layer(x);
  CHECK_FALSE(equal(first, second));
  manual_seed(1);
  CHECK(equal(layer(x), first));
}

TEST_CASE("regular-dropout: in every dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) CHECK(nn::dropout(ones({10}, dtype), 0.5).dtype() == dtype);
}

TEST_CASE("Dropout: errors") {
  const double nan = std::nan("");
  for (const double p : {-0.1, 1.0, 1.5, nan}) {
    CHECK_THROWS_WITH_AS(nn::Dropout{p}, fmt::format("Dropout: p must be in [0, 1), got {}", p).c_str(), ValueError);
    CHECK_THROWS_WITH_AS(nn::dropout(ones({2}), p), fmt::format("dropout: p must be in [0, 1), got {}", p).c_str(), ValueError);
  }
}
