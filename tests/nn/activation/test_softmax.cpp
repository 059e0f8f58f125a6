#include "nn/activation/softmax.h"

#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor scores(const Shape& shape) { return draw(shape, -3, 3, 5); }

Tensor softmax(const Tensors& in) { return nn::softmax(in[0]); }
Tensor log_softmax(const Tensors& in) { return nn::log_softmax(in[0]); }

}  // namespace

TEST_CASE("act-softmax: values and gradients equal PyTorch's") { CHECK(against_pytorch("softmax", softmax) == ""); }

TEST_CASE("act-softmax: the fast path is the formula") {
  const TensorFunction formula = [](const Tensors& in) { return nn::formula::softmax(in[0]); };
  for (const Shape& shape : {Shape{5}, Shape{3, 1}, Shape{2, 3, 4}, Shape{2, 17}}) {
    CHECK(check_fused(fmt::format("softmax{}", shape), softmax, formula, {scores(shape)}) == "");
  }
}

TEST_CASE("act-log-softmax: values far from 0 lose no digit, nor on the formula") {
  for (const bool formula : {false, true}) {
    const FormulaOnly mode(formula);
    for (const double m : {1e4, 1e7, 1e8, 1e30}) {
      CAPTURE(m);
      CHECK(difference(slice(nn::log_softmax(tensor({m, m, -m})), 0, 0, 2), full({2}, -std::log(2.0)), 1e-7) == "");
    }
  }
}

TEST_CASE("act-softmax: positive, every row sums to 1, and its gradient to 0") {
  const Tensor x = scores({4, 9}).set_requires_grad();
  const Tensor y = nn::softmax(x);
  CHECK(sum(y <= 0).item() == 0);
  CHECK(difference(sum(y, -1), ones({4}, DType::f64), 1e-15) == "");
  const Tensor dx = grad({y}, {x}, {.seeds = {scores({4, 9})}})[0];
  CHECK(difference(sum(dx, -1), zeros({4}, DType::f64), 1e-15) == "");
}

TEST_CASE("act-softmax: a shift changes nothing, softmax(x) = softmax(x - c)") {
  CHECK(equal(nn::softmax(tensor({10, 1, 1})), nn::softmax(tensor({1010, 1001, 1001}))));
  const Tensor x = scores({3, 5});
  CHECK(difference(nn::softmax(x - 123.25), nn::softmax(x), 1e-13) == "");
}

TEST_CASE("act-softmax: does not overflow, in any dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor y = nn::softmax(tensor({1000, 999, -1000}, dtype));
    CHECK(difference(y, tensor({0.7310585786300049, 0.2689414213699951, 0}), dtype == DType::f16 ? 1e-3 : 1e-6) == "");
  }
}

TEST_CASE("act-softmax: what is subtracted is the greatest score, be it far below 0") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    CHECK(difference(nn::softmax(tensor({-10000, -10000}, dtype)), tensor({0.5, 0.5}), 0) == "");
  }
}

TEST_CASE("act-softmax: -∞ gets nothing, forward and backward; a row of it is NaN") {
  const Tensor x = tensor({{0, -kInfinity, 0}, {-kInfinity, -kInfinity, -kInfinity}}, DType::f64).set_requires_grad();
  const Tensor y = nn::softmax(x);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(difference(y, tensor({{0.5, 0, 0.5}, {nan, nan, nan}}), 0) == "");
  const Tensor dx = grad({y}, {x}, {.seeds = {tensor({{1, 5, 0}, {0, 0, 0}}, DType::f64)}})[0];
  CHECK(difference(select(dx, 0, 0), tensor({0.25, 0, -0.25}), 0) == "");
}

TEST_CASE("act-softmax: errors") {
  CHECK_THROWS_WITH_AS(nn::softmax(tensor(1)), "softmax: needs at least one value along the last axis, got shape []", ShapeError);
  CHECK_THROWS_WITH_AS(nn::softmax(zeros({2, 0})), "softmax: needs at least one value along the last axis, got shape [2, 0]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::softmax(tensor({1, 2}, DType::i64)), "softmax: needs a floating dtype, got i64; use cast(x, DType::f32) first",
                       DTypeError);
  CHECK(nn::softmax(zeros({0, 3})).shape() == Shape{0, 3});
}

TEST_CASE("act-log-softmax: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("log_softmax", log_softmax, "activation.safetensors") == "");
}

TEST_CASE("act-log-softmax: the fast path is the formula") {
  const TensorFunction formula = [](const Tensors& in) { return nn::formula::log_softmax(in[0]); };
  for (const Shape& shape : {Shape{5}, Shape{3, 1}, Shape{2, 3, 4}, Shape{2, 17}}) {
    CHECK(check_fused(fmt::format("log_softmax{}", shape), log_softmax, formula, {scores(shape)}) == "");
  }
}

TEST_CASE("act-log-softmax: finite where softmax is 0, in any dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor x = tensor({0, 10000, -10000}, dtype).set_requires_grad();
    const Tensor y = nn::log_softmax(x);
    CHECK(to_vector(y) == Values{-10000, 0, -20000});
    CHECK(to_vector(nn::softmax(x)) == Values{0, 1, 0});
    CHECK(to_vector(grad({y}, {x}, {.seeds = {tensor({1, 2, 1}, dtype)}})[0]) == Values{1, -2, 1});
  }
}

TEST_CASE("act-log-softmax: a shift changes nothing; -∞ stays -∞; a row of it is NaN") {
  const Tensor x = scores({3, 5});
  CHECK(difference(nn::log_softmax(x - 123.25), nn::log_softmax(x), 1e-13) == "");
  CHECK(difference(exp(nn::log_softmax(x)), nn::softmax(x), 1e-15) == "");
  const Tensor masked = nn::log_softmax(tensor({{0, -kInfinity, 0}, {-kInfinity, -kInfinity, -kInfinity}}, DType::f64));
  const double half = -0.69314718055994531, nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(difference(masked, tensor({{half, -kInfinity, half}, {nan, nan, nan}}, DType::f64), 1e-15) == "");
}

TEST_CASE("act-log-softmax: errors") {
  CHECK_THROWS_WITH_AS(nn::log_softmax(zeros({2, 0})), "log_softmax: needs at least one value along the last axis, got shape [2, 0]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::log_softmax(tensor({1, 2}, DType::i64)),
                       "log_softmax: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
}
