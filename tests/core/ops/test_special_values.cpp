// NaN, infinities, signed zeros and far tails: what every op does with them.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/core/ops/gradient.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// In every floating dtype: op(x) is y.
void check_values(Tensor (*op)(const Tensor&), const Nested& x, const Nested& y) {
  for (DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    CHECK(difference(op(tensor(x, dtype)), tensor(y, dtype), 0) == "");
  }
}

}  // namespace

TEST_CASE("exp: e^∞ is ∞, e^-∞ is 0, e^NaN is NaN") {
  check_values(exp, {kInfinity, -kInfinity, kNaN, 0, 1e4, -1e4}, {kInfinity, 0, kNaN, 1, kInfinity, 0});
}
TEST_CASE("expm1: at ±∞ and NaN") { check_values(expm1, {kInfinity, -kInfinity, kNaN, 0, -1e4}, {kInfinity, -1, kNaN, 0, -1}); }
TEST_CASE("log: of 0 is -∞, of a negative number NaN") {
  check_values(log, {0, -0.0, -1, kInfinity, -kInfinity, kNaN, 1}, {-kInfinity, -kInfinity, kNaN, kInfinity, kNaN, kNaN, 0});
}
TEST_CASE("log1p: of -1 is -∞, below it NaN") { check_values(log1p, {-1, -2, kInfinity, kNaN, 0}, {-kInfinity, kNaN, kInfinity, kNaN, 0}); }
TEST_CASE("sqrt: of a negative number is NaN") { check_values(sqrt, {0, -1, kInfinity, kNaN, 4}, {0, kNaN, kInfinity, kNaN, 2}); }
TEST_CASE("sin: of an infinity is NaN") { check_values(sin, {kInfinity, -kInfinity, kNaN, 0}, {kNaN, kNaN, kNaN, 0}); }
TEST_CASE("cos: of an infinity is NaN") { check_values(cos, {kInfinity, -kInfinity, kNaN, 0}, {kNaN, kNaN, kNaN, 1}); }
TEST_CASE("tanh: saturates at ±1") { check_values(tanh, {kInfinity, -kInfinity, kNaN, 0, 1e4, -1e4}, {1, -1, kNaN, 0, 1, -1}); }
TEST_CASE("sigmoid: saturates at 0 and 1 without overflow") {
  check_values(sigmoid, {kInfinity, -kInfinity, kNaN, 0, 1e4, -1e4}, {1, 0, kNaN, 0.5, 1, 0});
}
TEST_CASE("erf: saturates at ±1") { check_values(erf, {kInfinity, -kInfinity, kNaN, 0, 1e4, -1e4}, {1, -1, kNaN, 0, 1, -1}); }
TEST_CASE("relu: of NaN is NaN") { check_values(relu, {kInfinity, -kInfinity, kNaN, -0.0, -1}, {kInfinity, 0, kNaN, 0, 0}); }
TEST_CASE("abs: of ±∞ is ∞") { check_values(abs, {kInfinity, -kInfinity, kNaN, -0.0}, {kInfinity, kInfinity, kNaN, 0}); }
TEST_CASE("sign: of NaN is NaN") { check_values(sign, {kInfinity, -kInfinity, kNaN, 0}, {1, -1, kNaN, 0}); }

TEST_CASE("relu, sigmoid, tanh: gradients at ±∞ are 0 or 1, never NaN") {
  for (DType dtype : {DType::f32, DType::f64}) {
    const Tensor x = tensor({1e4, -1e4, kInfinity, -kInfinity}, dtype).set_requires_grad();
    CHECK(to_vector(gradient(relu(x), x)) == Values{1, 0, 1, 0});
    CHECK(to_vector(gradient(sigmoid(x), x)) == Values{0, 0, 0, 0});
    CHECK(to_vector(gradient(tanh(x), x)) == Values{0, 0, 0, 0});
    CHECK(to_vector(gradient(erf(x), x)) == Values{0, 0, 0, 0});
  }
}

TEST_CASE("maximum and minimum: NaN if either is") {
  const Tensor a = tensor({1, kNaN, 1, kNaN, -kInfinity}), b = tensor({kNaN, 1, 2, kNaN, kInfinity});
  CHECK(difference(maximum(a, b), tensor({kNaN, kNaN, 2, kNaN, kInfinity}), 0) == "");
  CHECK(difference(minimum(a, b), tensor({kNaN, kNaN, 1, kNaN, -kInfinity}), 0) == "");
}

TEST_CASE("max and min: NaN wherever it stands, along rows and columns") {
  for (int64_t n : {1, 2, 17, 5000}) {
    for (int64_t at : {int64_t{0}, n / 2, n - 1}) {
      CAPTURE(n);
      CAPTURE(at);
      Tensor x = arange(0, static_cast<double>(n), 1, DType::f32);
      x.mutable_data<float>()[at] = NAN;
      const Tensor table = stack({x, zeros_like(x)});
      CHECK(std::isnan(max(x).item()));
      CHECK(std::isnan(min(x).item()));
      CHECK(difference(max(table, 1), tensor({kNaN, 0}), 0) == "");
      CHECK(difference(max(transpose(table), 0), tensor({kNaN, 0}), 0) == "");
    }
  }
}

TEST_CASE("max: of nothing but -∞ is -∞") { CHECK(max(full({3}, -kInfinity)).item() == -kInfinity); }

TEST_CASE("clamp: keeps NaN, clips infinities; between two equal infinities all is that") {
  CHECK(to_vector(clamp(tensor({-1, 2}), kInfinity, kInfinity)) == Values{kInfinity, kInfinity});
  CHECK(to_vector(clamp(tensor({-1, 2}), -kInfinity, -kInfinity)) == Values{-kInfinity, -kInfinity});
  CHECK(difference(clamp(tensor({kNaN, kInfinity, -kInfinity}), -1, 1), tensor({kNaN, 1, -1}), 0) == "");
}

TEST_CASE("logsumexp: does not overflow, and is -∞ of nothing but -∞") {
  CHECK(logsumexp(full({2}, 1e4)).item() == doctest::Approx(1e4 + std::log(2)));
  CHECK(logsumexp(full({2}, -1e4)).item() == doctest::Approx(-1e4 + std::log(2)));
  CHECK(logsumexp(full({2}, -kInfinity)).item() == -kInfinity);
  CHECK(logsumexp(tensor({1, -kInfinity})).item() == 1);
  CHECK(logsumexp(tensor({1, kInfinity})).item() == kInfinity);
  CHECK(std::isnan(logsumexp(tensor({1, kNaN})).item()));
}

TEST_CASE("logsumexp: of no elements it is -∞, as log 0 is, along an axis and over all, with an empty gradient") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    const Tensor none = zeros({0, 3}, dtype).set_requires_grad();
    CHECK(to_vector(logsumexp(none, 0)) == Values{-kInfinity, -kInfinity, -kInfinity});
    CHECK(logsumexp(none, 1, true).shape() == Shape{0, 1});
    CHECK(logsumexp(none).item() == -kInfinity);
    CHECK(logsumexp(none).dtype() == dtype);
    CHECK(gradient(logsumexp(none, 0), none).shape() == Shape{0, 3});
  }
}

TEST_CASE("logsumexp: the gradient is a softmax, with 0 for -∞") {
  const Tensor x = tensor({0, 0, -kInfinity}).set_requires_grad();
  CHECK(to_vector(gradient(logsumexp(x), x)) == Values{0.5, 0.5, 0});
}

TEST_CASE("where: a NaN that is not chosen does no harm, forward or backward") {
  const Tensor x = tensor({-1, 0, 4}).set_requires_grad();
  const Tensor safe = where(x > 0, x, scalar_like(x, 1));
  const Tensor y = where(x > 0, sqrt(safe), scalar_like(x, 0));
  CHECK(to_vector(y) == Values{0, 0, 2});
  CHECK(to_vector(gradient(y, x)) == Values{0, 0, 0.25});
  const Tensor chosen = where(tensor({0, 1}, DType::i64), tensor({kNaN, 2}), tensor({3, kNaN}));
  CHECK(to_vector(chosen) == Values{3, 2});
}

TEST_CASE("where: the gradient of the unchosen is 0 even when dL/dy is infinite") {
  const Tensor a = tensor({1, 2}).set_requires_grad();
  const Tensor y = where(tensor({0, 1}, DType::i64), a, scalar_like(a, 0));
  CHECK(to_vector(grad({y}, {a}, {.seeds = {full({2}, kInfinity)}})[0]) == Values{0, kInfinity});
}

TEST_CASE("masked_fill: -∞ in masked places, and no gradient there") {
  const Tensor x = tensor({1, 2}).set_requires_grad();
  const Tensor y = masked_fill(x, tensor({1, 0}, DType::i64), -kInfinity);
  CHECK(to_vector(y) == Values{-kInfinity, 2});
  CHECK(to_vector(gradient(exp(y), x)) == Values{0, std::exp(2.0f)});
}

TEST_CASE("pow: the corners of C's pow") {
  const Tensor base = tensor({0, 0, kNaN, 1, -2, -2, 0, kInfinity}), exponent = tensor({0, 2, 0, kNaN, 3, 0.5, -1, -1});
  CHECK(difference(pow(base, exponent), tensor({1, 0, 1, 1, -8, kNaN, kInfinity, 0}), 0) == "");
}

TEST_CASE("pow: of 0 to the 0 is 1, with gradients of 0") {
  const Tensor a = zeros({1}, DType::f64).set_requires_grad(), b = zeros({1}, DType::f64).set_requires_grad();
  const Tensor y = pow(a, b);
  CHECK(y.item() == 1);
  for (const Tensor& slope : grad({y}, {a, b})) CHECK(slope.item() == 0);
}

TEST_CASE("pow: where the exponent is 0 the gradient is 0, also where 1/a overflows; the mixed second derivative is 1/a") {
  for (const double base : {0.0, 1e-320, 2.0, -4.0, 1e300}) {
    CAPTURE(base);
    const Tensor a = tensor({base}, DType::f64).set_requires_grad(), b = tensor({0}, DType::f64).set_requires_grad();
    const Tensors first = grad({sum(pow(a, b))}, {a, b}, {.create_graph = true});
    CHECK(first[0].item() == 0);
    CHECK(grad({sum(pow(a, 0))}, {a})[0].item() == 0);
    const double mixed = base == 0 || std::isinf(1 / base) ? 0 : 1 / base;
    if (base >= 0) CHECK(grad({sum(first[0])}, {b}, {.retain_graph = true})[0].item() == mixed);
    if (base == 0 || base == 2) CHECK(grad({sum(first[1])}, {a})[0].item() == mixed);
  }
}

TEST_CASE("comparisons: nothing is equal to NaN, or ordered against it") {
  const Tensor x = tensor({kNaN, 1}), y = tensor({kNaN, kNaN});
  for (const Tensor& mask : {eq(x, y), lt(x, y), le(x, y), gt(x, y), ge(x, y)}) CHECK(to_vector(mask) == Values{0, 0});
  CHECK(to_vector(ne(x, y)) == Values{1, 1});
  CHECK(to_vector(eq(tensor({0.0}), tensor({-0.0}))) == Values{1});
}

TEST_CASE("argmax, argsort, sort, topk: NaN is the largest") {
  const Tensor x = tensor({1, kNaN, kInfinity, -kInfinity});
  CHECK(argmax(x).item() == 1);
  CHECK(to_vector(argsort(x)) == Values{3, 0, 2, 1});
  CHECK(to_vector(argsort(x, 0, true)) == Values{1, 2, 0, 3});
  CHECK(to_vector(topk(x, 2).indices) == Values{1, 2});
}

TEST_CASE("argmax, argmin, argsort: of equals the first comes first") {
  const Tensor x = tensor({2, 1, 2, 1});
  CHECK(argmax(x).item() == 0);
  CHECK(argmin(x).item() == 1);
  CHECK(to_vector(argsort(x)) == Values{1, 3, 0, 2});
  CHECK(to_vector(argsort(x, -1, true)) == Values{0, 2, 1, 3});
}

TEST_CASE("var: of one value is NaN when unbiased, 0 for the population") {
  CHECK(std::isnan(var(tensor({3})).item()));
  CHECK(var(tensor({3}), {}, 0).item() == 0);
}

// One running total would be 1 % off. In blocks of 1024 the rounding is at most 1024 half units; vectors do better.
TEST_CASE("sum: of a million equal numbers keeps f32's precision") {
  constexpr double limit = 1024 * 0x1p-24;
  const double tenth = static_cast<double>(0.1f);
  CHECK(sum(full({1000003}, 0.1)).item() == doctest::Approx(1000003 * tenth).epsilon(limit));
  CHECK(difference(sum(full({1000, 1000}, 0.1), 0), full({1000}, 1000 * tenth), limit) == "");
}

// In blocks of 64 rows, added up one by one, it would be 6e-4 off.
TEST_CASE("sum: of four million rows keeps f32's precision") {
  constexpr int64_t rows = 4'000'000;
  CHECK(difference(sum(full({rows, 2}, 0.1), 0), full({2}, rows * static_cast<double>(0.1f)), 1e-5) == "");
}

TEST_CASE("cumsum, argmax, argmin, argsort: of one element") {
  const Tensor x = tensor({5});
  for (int again = 0; again < 3; ++again) {  // in memory that held other numbers
    CHECK(to_vector(x + 7) == Values{12});
    CHECK(to_vector(cumsum(x, 0)) == Values{5});
    CHECK(to_vector(tensor({7}, DType::i64) * 2) == Values{14});
    CHECK(to_vector(argsort(x, 0)) == Values{0});
    CHECK(to_vector(argmax(x, 0)) == Values{0});
    CHECK(to_vector(argmin(x, 0)) == Values{0});
  }
}

TEST_CASE("sum: of columns, as many as a strip of them has, one less and one more") {
  for (const int64_t columns : {255, 256, 257, 511, 512, 513})
    CHECK(to_vector(sum(ones({3, columns}), 0)) == Values(static_cast<std::size_t>(columns), 3));
}

TEST_CASE("matmul: overwrites uninitialised memory, even where nothing is summed") {
  CHECK(to_vector(matmul(zeros({2, 0}), zeros({0, 2}))) == Values{0, 0, 0, 0});
  CHECK(to_vector(matmul(zeros({2, 0}, DType::f64), zeros({0, 2}, DType::f64))) == Values{0, 0, 0, 0});
}

TEST_CASE("relu, maximum, minimum: the gradient of what is not chosen is 0 even when dL/dy is infinite") {
  const Tensor a = tensor({-1, 2}).set_requires_grad(), b = tensor({3, -4}).set_requires_grad();
  const Tensor seed = tensor({kInfinity, kInfinity});
  CHECK(to_vector(grad({relu(a)}, {a}, {.seeds = {seed}})[0]) == Values{0, kInfinity});
  const Tensors larger = grad({maximum(a, b)}, {a, b}, {.seeds = {seed}});
  CHECK(to_vector(larger[0]) == Values{0, kInfinity});
  CHECK(to_vector(larger[1]) == Values{kInfinity, 0});
}

TEST_CASE("i64: an end of ±∞ clamps nothing, and no other op takes it") {
  const Tensor x = tensor({1, 2, -3}, DType::i64);
  CHECK(to_vector(clamp(x, 0, kInfinity)) == Values{1, 2, 0});
  CHECK(to_vector(clamp(x, -kInfinity, 1)) == Values{1, 1, -3});
  CHECK_THROWS_WITH_AS(x + kInfinity, "add: an i64 tensor cannot hold inf; take a floating dtype, for a tensor by cast(x, DType::f32)",
                       DTypeError);
  CHECK_THROWS_AS(x < 1e19, DTypeError);
}

TEST_CASE("prod: of no factors is 1, and on the tape") {
  const Tensor x = zeros({0, 3}).set_requires_grad();
  const Tensor y = prod(x, 0);
  CHECK(to_vector(y) == Values{1, 1, 1});
  CHECK(grad({sum(y)}, {x})[0].shape() == Shape{0, 3});
}

TEST_CASE("sum and max: of a scalar are tensors of their own") {
  Tensor x = tensor(3);
  const Tensor total = sum(x), largest = max(x);
  x.fill(5);
  CHECK(total.item() == 3);
  CHECK(largest.item() == 3);
}
