// The ends of each dtype's range: huge and tiny f64, the smallest i64, f16 with sums that it cannot hold, casts to i64.
#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();

std::vector<int64_t> values_of(const Tensor& x) { return {x.data<int64_t>(), x.data<int64_t>() + x.numel()}; }

}  // namespace

TEST_CASE("erf: ±1 as far as the type goes, NaN only of NaN") {
  for (const DType dtype : {DType::f64, DType::f32}) {
    const double huge = dtype == DType::f64 ? 1e308 : 1e38;
    const Tensor y = erf(tensor({7, 1e20, huge, kInfinity, -7, -1e20, -huge, -kInfinity, 0, NAN}, dtype));
    CHECK(difference(y, tensor({1, 1, 1, 1, -1, -1, -1, -1, 0, NAN}, dtype), 0) == "");
    for (const double x : {5.5, 5.9, 6.0, 6.1, -5.9, -6.1, 1e-3}) {
      CHECK(erf(tensor(x, dtype)).item() == doctest::Approx(std::erf(x)));
    }
  }
}

TEST_CASE("log: of denormals, of 0 and of negatives") {
  const std::vector<double> points{1e-310, 5e-324, 2.2250738585072009e-308, 2.2250738585072014e-308, 1e-300, 1};
  for (const double x : points) CHECK(log(tensor(x, DType::f64)).item() == doctest::Approx(std::log(x)).epsilon(1e-15));
  for (const float x : {1e-40F, 1e-45F, 1.2e-38F}) {
    const double expected = std::log(static_cast<double>(x));
    CHECK(log(from_vector(std::vector<float>{x}, {})).item() == doctest::Approx(expected).epsilon(1e-6));
  }
  const Tensor y = log(tensor({0, -1, -1e-310, kInfinity, NAN}, DType::f64));
  CHECK(difference(y, tensor({-kInfinity, NAN, NAN, kInfinity, NAN}, DType::f64), 0) == "");
}

TEST_CASE("min, minimum, argmin, roll: right at the smallest i64") {
  const Tensor x = whole({5, kLeast, kMost, kLeast + 1}), y = whole({kMost, 3, kLeast, kLeast});
  CHECK(values_of(min(x, -1, true)) == std::vector{kLeast});
  CHECK(values_of(min(whole({kMost, 7, kMost}), -1, true)) == std::vector<int64_t>{7});
  CHECK(values_of(min(reshape(x, {2, 2}), 0)) == std::vector{int64_t{5}, kLeast});  // by columns
  CHECK(values_of(minimum(x, y)) == std::vector{int64_t{5}, kLeast, kLeast, kLeast});
  CHECK(values_of(argmin(x, -1, true)) == std::vector<int64_t>{1});
  CHECK(values_of(max(x, -1, true)) == std::vector{kMost});
  CHECK(difference(minimum(whole({kLeast, 2}), tensor({0, 0.5})), tensor({-0x1p63, 0.5}), 0) == "");
  CHECK(values_of(roll(whole({1, 2, 3}), kLeast, 0)) == std::vector<int64_t>{3, 1, 2});  // -2⁶³ = 1 mod 3
  CHECK(values_of(roll(whole({1, 2, 3}), -1, 0)) == std::vector<int64_t>{2, 3, 1});
}

TEST_CASE("i64: sums, products and signs wrap around beyond ±2⁶³") {
  const Tensor ends = whole({kMost, kLeast, -1}), one = whole({1, 1, 1}), twos = whole({2, 2, 2});
  CHECK(values_of(ends + one) == std::vector{kLeast, kLeast + 1, int64_t{0}});
  CHECK(values_of(ends - one) == std::vector{kMost - 1, kMost, int64_t{-2}});
  CHECK(values_of(ends * twos) == std::vector<int64_t>{-2, 0, -2});
  CHECK(values_of(square(ends)) == std::vector<int64_t>{1, 0, 1});  // (2⁶³ - 1)² = 1 and 2¹²⁶ = 0 mod 2⁶⁴
  CHECK(values_of(-ends) == std::vector{-kMost, kLeast, int64_t{1}});
  CHECK(values_of(abs(ends)) == std::vector{kMost, kLeast, int64_t{1}});
  CHECK(values_of(sum(whole({kMost, 1, 5}), -1, true)) == std::vector{kLeast + 5});
  CHECK(values_of(sum(reshape(whole({kMost, kLeast, 1, -1}), {2, 2}), 0)) == std::vector{kLeast, kMost});  // by columns
  CHECK(values_of(cumsum(whole({kMost, 1, 1}), 0)) == std::vector{kMost, kLeast, kLeast + 1});
  CHECK(values_of(prod(whole({kMost, 2}), -1, true)) == std::vector<int64_t>{-2});
  CHECK(values_of(scatter_add(whole({kMost}), 0, whole({0}), whole({1}))) == std::vector{kLeast});
  CHECK(values_of(index_add(whole({kMost}), 0, whole({0, 0}), whole({1, 1}))) == std::vector{kLeast + 1});
  Tensor counter = whole({kMost});
  counter += 1;
  CHECK(values_of(counter) == std::vector{kLeast});
}

TEST_CASE("tril, triu, roll, slice: the ends of i64 are positions like others") {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  CHECK(equal(tril(x, kMost), x));
  CHECK(equal(triu(x, kLeast), x));
  CHECK(to_vector(tril(x, kLeast)) == Values{0, 0, 0, 0});
  CHECK(to_vector(triu(x, kMost)) == Values{0, 0, 0, 0});
  CHECK(to_vector(roll(whole({1, 2, 3}), kMost, 0)) == Values{3, 1, 2});  // 2⁶³ - 1 = 1 mod 3
  CHECK(to_vector(slice(whole({1, 2, 3}), 0, kLeast, kMost, kMost)) == Values{1});
  CHECK(slice(whole({1, 2, 3}), 0, kMost, kLeast).numel() == 0);
}

TEST_CASE("assign: an i64 tensor keeps all its values when one of the new cannot be had") {
  Tensor x = whole({1, 2, 3});
  const std::uint32_t version = x.version();
  CHECK_THROWS_AS(x.assign(tensor({7, 8, kInfinity})), ValueError);
  CHECK(values_of(x) == std::vector<int64_t>{1, 2, 3});
  CHECK(x.version() == version);  // so that backward through it still works
}

TEST_CASE("cast: to i64, toward 0; NaN, infinities and what i64 cannot hold are an error") {
  CHECK(values_of(cast(tensor({-1.9, 1.9, -0x1p63, 0x1.fffffp62}, DType::f64), DType::i64)) ==
        std::vector{int64_t{-1}, int64_t{1}, kLeast, static_cast<int64_t>(0x1.fffffp62)});
  for (const DType dtype : {DType::f64, DType::f32}) {
    for (const double bad : {double{NAN}, kInfinity, -kInfinity, 0x1p63, -0x1.00001p63}) {
      CHECK_THROWS_AS(cast(tensor({1, bad}, dtype), DType::i64), ValueError);
      CHECK_THROWS_AS(tensor({1, bad}, DType::i64), DTypeError);
      Tensor ids = zeros({2}, DType::i64);
      CHECK_THROWS_AS(ids.assign(tensor({1, bad}, dtype)), ValueError);
    }
  }
  CHECK_THROWS_WITH_AS(cast(tensor(NAN), DType::i64), "cast: i64 cannot hold nan", ValueError);
  CHECK_THROWS_AS(cast(tensor(kInfinity, DType::f16), DType::i64), ValueError);
}

TEST_CASE("matmul, dot, cat: an i64 operand is read in the other's dtype") {
  const Tensor x = tensor({{1, 2}, {3, 4}}).set_requires_grad(), ids = tensor({{1, 0}, {2, -1}}, DType::i64);
  CHECK(difference(matmul(x, ids), tensor({{5, -2}, {11, -4}}), 0) == "");
  CHECK(difference(matmul(ids, x), tensor({{1, 2}, {-1, 0}}), 0) == "");
  CHECK(difference(grad({sum(matmul(x, ids))}, {x})[0], tensor({{1, 1}, {1, 1}}), 0) == "");
  CHECK(difference(grad({sum(matmul(ids, x))}, {x})[0], tensor({{3, 3}, {-1, -1}}), 0) == "");
  CHECK(dot(tensor({1, 2}, DType::i64), tensor({0.5, 4}, DType::f64)).item() == 8.5);
  CHECK_THROWS_AS(matmul(ids, ids), DTypeError);
  const Tensor y = cat({ids, x}, 0);
  CHECK(difference(y, tensor({{1, 0}, {2, -1}, {1, 2}, {3, 4}}), 0) == "");
  CHECK(difference(grad({sum(y * y)}, {x})[0], tensor({{2, 4}, {6, 8}}), 0) == "");
  CHECK(cat({ids, ids}, 0).dtype() == DType::i64);
}

TEST_CASE("Scalar: an integer that a double cannot hold is refused, not rounded") {
  const Tensor x = whole({0, 1});
  CHECK(values_of(x + (int64_t{1} << 60)) == std::vector{int64_t{1} << 60, (int64_t{1} << 60) + 1});
  CHECK(values_of(x + kLeast) == std::vector{kLeast, kLeast + 1});
  CHECK_THROWS_WITH_AS(x + 9007199254740993,
                       "scalar 9007199254740993: a double, which it goes through, cannot hold it; use "
                       "from_vector",
                       ValueError);
  CHECK_THROWS_AS(eq(x, kMost), ValueError);
  CHECK_THROWS_AS(x * std::numeric_limits<std::uint64_t>::max(), ValueError);
}

TEST_CASE("mean, var, std: of an i64 tensor in f64, rounded to f32 at the end") {
  CHECK(mean(whole({kMost, kMost})).item() == 0x1p63);
  CHECK(mean(whole({16'777'217, 16'777'219})).item() == 16'777'218);
  const Tensor near = whole({100'000'001, 100'000'002, 100'000'003, 100'000'004});
  CHECK(var(near).item() == doctest::Approx(5.0 / 3).epsilon(1e-7));
  CHECK(stddev(near, {}, 0).item() == doctest::Approx(std::sqrt(1.25)).epsilon(1e-7));
  CHECK(var(near).dtype() == DType::f32);
}

TEST_CASE("tril, triu: a diagonal far outside keeps all, or nothing") {
  const Tensor x = ones({2, 3});
  CHECK(equal(tril(x, kMost), x));
  CHECK(equal(triu(x, kLeast), x));
  CHECK(equal(tril(x, kLeast), zeros({2, 3})));
  CHECK(equal(triu(x, kMost), zeros({2, 3})));
  CHECK(equal(tril(x, -2), zeros({2, 3})));
  CHECK(equal(tril(x, -1), tensor({{0, 0, 0}, {1, 0, 0}})));
  CHECK(equal(triu(x, 2), tensor({{0, 0, 1}, {0, 0, 0}})));
  CHECK(equal(triu(x, 3), zeros({2, 3})));
}

TEST_CASE("f16: a number stays f32 beside it, and the result is rounded once") {
  const Tensor x = tensor({60'000, 2}, DType::f16).set_requires_grad();
  const auto f16 = [](const Nested& values) { return tensor(values, DType::f16); };
  CHECK(equal((x / 100'000).detach(), f16({0.6, 2e-5})));
  CHECK(equal((x * 1e-8).detach(), f16({6e-4, 2e-8})));
  CHECK(equal((100'000 / x).detach(), f16({1.0 / 0.6, 50'000})));
  CHECK(equal((100'000 - x).detach(), f16({40'000, 99'998})));  // ∞
  CHECK(equal(pow(x, -4e-5).detach(), f16({std::pow(60'000, -4e-5), std::pow(2, -4e-5)})));
  CHECK(equal(grad({sum(x / 100'000)}, {x})[0], f16({1e-5, 1e-5})));
  CHECK(equal(grad({sum(100'000 / x)}, {x})[0], f16({-1e5 / 3.6e9, -25'000})));
  CHECK(to_vector(x < 1e5) == Values{1, 1});
  CHECK(to_vector(tensor({0.0}, DType::f16) > -1e-9) == Values{1});
  CHECK(to_vector(eq(tensor({0.1}, DType::f16), 0.1)) == Values{0});  // f16's is 0.09998
  Tensor y = f16({30'000});
  CHECK((y /= 1e5).item() == f16(0.3).item());
  const Tensor end = tensor({0.1}, DType::f16).set_requires_grad();
  CHECK(grad({sum(clamp(end, 0.1, 1))}, {end})[0].item() == 1);
  CHECK(equal(f16({3}) * tensor(0.5), f16({1.5})));  // a constant of shape [] is a number
  CHECK_THROWS_AS(f16({3}) * tensor({0.5}), DTypeError);
  CHECK_THROWS_AS(f16({3}) * tensor(0.5).set_requires_grad(), DTypeError);
  CHECK_THROWS_AS(f16({3}) * tensor(0.5, DType::f64), DTypeError);
}

TEST_CASE("f16: max and min share a gradient among more than 65504 equals") {
  for (const auto& op : {max, min}) {
    const Tensor x = zeros({70'000}, DType::f16).set_requires_grad();
    CHECK(equal(grad({op(x, {}, false)}, {x})[0], full({70'000}, 1.0 / 70'000, DType::f16)));
  }
}

TEST_CASE("cumsum: exact to a rounding after a million numbers") {
  const Tensor y = cumsum(full({1 << 20}, 0.1), 0);
  const double step = static_cast<double>(0.1F);
  CHECK(y.at({-1}) == static_cast<double>(static_cast<float>(step * (1 << 20))));
  CHECK(values_of(cumsum(whole({kMost, -1, 1}), 0)) == std::vector{kMost, kMost - 1, kMost});
}

// 80 000 and -80 000, which f16 cannot hold, on the way to a sum of 0.
TEST_CASE("f16: a sum over several axes, neighbours or not, is rounded once") {
  const auto signs = [](const Shape& shape) { return reshape(tensor({40'000, 40'000, -40'000, -40'000}, DType::f16), shape); };
  CHECK(to_vector(sum(signs({2, 2}), {0, 1})) == Values{0});
  CHECK(to_vector(sum(signs({2, 1, 2}), {0, 1, 2})) == Values{0});
  CHECK(to_vector(sum(expand(signs({2, 2, 1}), {2, 2, 3}), {0, 1})) == Values{0, 0, 0});
  CHECK(to_vector(sum(expand(signs({2, 1, 2}), {2, 3, 2}), {0, 2})) == Values{0, 0, 0});
  CHECK(to_vector(sum(expand(signs({2, 1, 1, 2}), {2, 3, 1, 2}), {0, 3})) == Values{0, 0, 0});
  CHECK(to_vector(sum(expand(signs({1, 2, 1, 2}), {1, 2, 3, 2}), {1, 3})) == Values{0, 0, 0});
}

TEST_CASE("f16: sums of more than it can hold are taken in f32 and rounded once") {
  const Tensor x = zeros({70'000}, DType::f16).set_requires_grad();
  const Tensor y = logsumexp(x);
  CHECK(y.item() == doctest::Approx(std::log(70'000)).epsilon(1e-3));
  CHECK(difference(grad({y * 1024}, {x})[0], full({70'000}, 1024.0 / 70'000, DType::f16), 1e-4) == "");
  CHECK(mean(full({70'000}, 3, DType::f16)).item() == 3);
  CHECK(logsumexp(tensor({-kInfinity, -kInfinity}, DType::f16)).item() == -kInfinity);
  const Tensor wide = tensor({1, 2}, DType::f64);
  CHECK(in_f32({wide}, [](const Tensors& in) { return in[0]; }).dtype() == DType::f64);
  const auto overflows = [](const Tensors& in) { return square(in[0] * 400) / 400; };
  const Tensor narrow = in_f32({cast(wide, DType::f16), Tensor()}, overflows);
  CHECK(difference(narrow, tensor({400, 1600}, DType::f16), 0) == "");
}

TEST_CASE("prod: of f16 in f32, where a product on the way is beyond f16, forward and backward") {
  const Tensor x = tensor({300, 300, 1e-3}, DType::f16).set_requires_grad();
  const Tensor y = prod(x);
  const double third = to_vector(x)[2];
  CHECK(y.dtype() == DType::f16);
  CHECK(y.item() == doctest::Approx(9e4 * third).epsilon(1e-3));
  CHECK(to_vector(grad({y}, {x})[0])[0] == doctest::Approx(300 * third).epsilon(1e-3));
  const double factor = full({1}, 1.05, DType::f16).item();
  CHECK(prod(full({64}, factor, DType::f16)).item() == doctest::Approx(std::pow(factor, 64)).epsilon(1e-3));
}
