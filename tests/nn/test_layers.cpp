// Linear, Embedding, Dropout.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/activation/elu.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "tests/nn/drawn_weights.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

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
  CHECK_THROWS_WITH_AS(layer(zeros({3, 4})), "Linear(3 -> 2): linear: expected [..., 3], got [3, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(tensor(1)), "Linear(3 -> 2): linear: expected [..., 3], got []", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3}, DType::f64)),
                       "Linear(3 -> 2): linear: x is f64, but weight is f32; use cast(x, DType::f32) first", DTypeError);
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

TEST_CASE("model-embedding: the row of the padding id starts at 0 and stays; the other rows start and learn as without one") {
  const Tensor ids = tensor({{3, 1, 3, 0}, {2, 3, 1, 1}}, DType::i64);
  manual_seed(5);
  nn::Embedding plain(5, 3);
  manual_seed(5);
  nn::Embedding padded(5, 3, {.padding_id = 1});
  CHECK(padded.describe() == "Embedding(5 x 3, padding 1)");
  const Tensor others = unsqueeze(arange(5), 1) != 1;
  CHECK(max_difference(padded.weight, plain.weight * cast(others, DType::f32)) == 0);
  CHECK(min(abs(sum(plain.weight, -1))).item() > 0);
  const Tensor weights = uniform({2, 4, 3}, -1, 1);
  sum(plain(ids) * weights).backward();
  sum(padded(ids) * weights).backward();
  CHECK(max_difference(padded.weight.grad(), plain.weight.grad() * cast(others, DType::f32)) == 0);
  CHECK(max(abs(select(plain.weight.grad(), 0, 1))).item() > 0);
}

TEST_CASE("model-embedding: the function is the layer; its first and second derivatives, with padding too") {
  const Tensor ids = tensor({{3, 1, 3}, {2, 3, 1}}, DType::i64), weight = uniform({4, 2}, -1, 1, DType::f64);
  CHECK(max_difference(nn::embedding(ids, weight, 1), nn::embedding(ids, weight)) == 0);
  const TensorFunction f = [&](const Tensors& in) { return square(nn::embedding(ids, in[0])); };
  const TensorFunction others = [&](const Tensors& in) {  // differences would see the row that gets no gradient
    return square(nn::embedding(ids, cat({slice(in[0], 0, 0, 1), zeros({1, 2}, DType::f64), slice(in[0], 0, 1)}, 0), 1));
  };
  for (const auto& [function, input] : {std::pair{f, weight}, {others, slice(weight, 0, 1)}}) {
    const GradcheckReport first = gradcheck(function, {input}), second = gradgradcheck(function, {input});
    CHECK_MESSAGE(first.passed, first.text);
    CHECK_MESSAGE(second.passed, second.text);
  }
}

TEST_CASE("Embedding: errors") {
  CHECK_THROWS_WITH_AS(nn::Embedding(0, 3), "Embedding: both sizes must be positive, got 0 rows of 3", ValueError);
  nn::Embedding layer(5, 3);
  CHECK_THROWS_WITH_AS(layer(tensor({1, 5}, DType::i64)), "Embedding(5 x 3): embedding: id 5 is out of range; expected 0 … 4", ValueError);
  CHECK_THROWS_WITH_AS(layer(tensor({-1}, DType::i64)), "Embedding(5 x 3): embedding: id -1 is out of range; expected 0 … 4", ValueError);
  CHECK_THROWS_WITH_AS(layer(tensor({1})), "Embedding(5 x 3): embedding: ids must be i64, got f32; use cast(ids, DType::i64)", DTypeError);
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

// a and b as PyTorch has them: its α is 1.7580993408473766, the -α' of the paper.
TEST_CASE("regular-alpha-dropout: dropped entries are a α' + b, the others a x + b, and a share p is dropped") {
  manual_seed(4);
  for (const double p : {0.1, 0.3, 0.5}) {
    const double alpha = 1.7580993408473766, a = 1 / std::sqrt((alpha * alpha * p + 1) * (1 - p)), b = alpha * a * p;
    const Tensor x = randn({1000, 100}, DType::f64), y = nn::alpha_dropout(x, p);
    const Tensor dropped = abs(y - (b - a * alpha)) < 1e-14;
    CHECK(difference(where(dropped, x, y), where(dropped, x, a * x + b), 1e-14) == "");
    CHECK(std::abs(mean_of(dropped) - p) < 5 * std::sqrt(p * (1 - p) / 1e5));  // five standard deviations
  }
}

TEST_CASE("regular-alpha-dropout: keeps mean 0 and variance 1, of which plain dropout makes 1 / (1 - p)") {
  manual_seed(4);
  for (const double p : {0.1, 0.5}) {
    const Tensor x = randn({1000, 1000}, DType::f64), y = nn::alpha_dropout(x, p);
    CHECK(std::abs(mean_of(y)) < 5 / std::sqrt(1e6));  // five standard deviations …
    const double fourth = mean_of(square(square(y)));  // … also of the variance, √((E y⁴ - 1) / n)
    CHECK(std::abs(mean_of(square(y)) - 1) < 5 * std::sqrt((fourth - 1) / 1e6));
    CHECK(mean_of(square(nn::dropout(x, p))) == doctest::Approx(1 / (1 - p)).epsilon(0.02));
  }
}

TEST_CASE("regular-alpha-dropout: the gradient is a where the value passed, and 0 where it was dropped") {
  const Tensor x = randn({50}, DType::f64).set_requires_grad();
  const auto seeded = [](const Tensors& in) {
    manual_seed(4);
    return nn::alpha_dropout(in[0], 0.5);
  };
  const Tensor y = seeded({x}), slope = grad({y}, {x}, {.seeds = {ones_like(y)}})[0];
  const double alpha = 1.7580993408473766, a = 1 / std::sqrt(0.5 * (1 + 0.5 * alpha * alpha));
  const Tensor passed = abs(y.detach() - (a * x.detach() + 0.5 * a * alpha)) < 1e-14;
  CHECK(difference(slope, a * cast(passed, DType::f64), 1e-15) == "");
  CHECK(gradcheck(seeded, {x.detach()}).passed);
  CHECK(gradgradcheck(seeded, {x.detach()}).passed);
}

TEST_CASE("regular-alpha-dropout: the identity in eval and for p = 0; new masks at every call; in every dtype") {
  nn::AlphaDropout layer(0.5);
  const Tensor x = ones({100});
  layer.eval();
  CHECK(layer(x).same_as(x));
  CHECK(nn::alpha_dropout(x, 0).same_as(x));
  layer.train();
  CHECK_FALSE(equal(layer(x), layer(x)));
  manual_seed(1);
  const Tensor y = layer(x);
  manual_seed(1);
  CHECK(equal(nn::alpha_dropout(x, 0.5), y));
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    const Tensor low = nn::alpha_dropout(ones({10}, dtype), 0.5);
    CHECK(low.dtype() == dtype);
    CHECK(sum(isfinite(low)).item() == 10);
  }
  CHECK(layer.describe() == "AlphaDropout(0.5)");
}

// Six layers of SELU with a dropout of 5 % each: with the plain one the variance leaves 1.
TEST_CASE("regular-alpha-dropout: a self-normalising network stays at mean 0 and variance 1") {
  manual_seed(5);
  const auto through = [](auto drop) {
    Tensor x = randn({200, 256});
    for (int layer = 0; layer < 6; ++layer) x = drop(nn::act::selu(matmul(x, randn({256, 256}) / 16)));
    return x;
  };
  const Tensor y = through([](const Tensor& x) { return nn::alpha_dropout(x, 0.05); });
  CHECK(std::abs(mean_of(y)) < 0.1);
  CHECK(std::abs(mean_of(square(y)) - 1) < 0.15);
  const Tensor plain = through([](const Tensor& x) { return nn::dropout(x, 0.05); });
  CHECK(std::abs(mean_of(square(plain)) - 1) > 0.15);
}

TEST_CASE("Dropout: errors") {
  const double nan = std::nan("");
  for (const double p : {-0.1, 1.0, 1.5, nan}) {
    const std::string said = fmt::format(": p must be in [0, 1), got {}", p);
    CHECK_THROWS_WITH_AS(nn::Dropout{p}, ("Dropout" + said).c_str(), ValueError);
    CHECK_THROWS_WITH_AS(nn::dropout(ones({2}), p), ("dropout" + said).c_str(), ValueError);
    CHECK_THROWS_WITH_AS(nn::AlphaDropout{p}, ("AlphaDropout" + said).c_str(), ValueError);
    CHECK_THROWS_WITH_AS(nn::alpha_dropout(ones({2}), p), ("alpha_dropout" + said).c_str(), ValueError);
  }
}
