// cast: between dtypes, with the gradient back in the dtype it came from.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// What f16 can say, found by its definition: sign, 5 bits of exponent, 10 of the fraction.
double f16_of(int bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

// Pairs of a number and the f16 nearest to it: around each number of f16, and around the middle between it and the next, where
// a tie goes to the even fraction. Beyond the largest, 65504, the next would be 65536, and is ∞.
std::vector<std::pair<double, double>> around_all_of_f16() {
  std::vector<std::pair<double, double>> pairs;
  for (int bits = 0; bits < 31 << 10; ++bits) {
    const double here = f16_of(bits), beyond = f16_of(bits + 1), next = bits + 1 == 31 << 10 ? INFINITY : beyond;
    const double middle = (here + beyond) / 2;
    pairs.insert(pairs.end(), {{here, here},
                               {middle, bits % 2 == 0 ? here : next},
                               {std::nextafter(middle, 0), here},
                               {std::nextafter(middle, INFINITY), next},
                               {middle * (1 - 0x1p-40), here},
                               {middle * (1 + 0x1p-40), next},
                               {std::nextafter(here, INFINITY), here},
                               {std::nextafter(beyond, 0), next}});
  }
  return pairs;
}

}  // namespace

TEST_CASE("cast: rounds to nearest even in f16") {
  // Neighbours of 1 in f16 are 2⁻¹⁰ apart; a tie goes to the even one.
  const Tensor x = tensor({1 + 0x1p-11, 1 + 3 * 0x1p-11, 1 + 0x1.8p-11});
  CHECK(to_vector(cast(x, DType::f16)) == Values{1, 1 + 0x1p-9, 1 + 0x1p-10});
}

TEST_CASE("cast: from f64 to f16 it rounds once, to the nearest of all numbers of f16") {
  const auto pairs = around_all_of_f16();
  std::vector<double> given;
  for (const auto& [x, expected] : pairs) given.insert(given.end(), {x, -x});
  const std::vector<double> rounded = to_vector(cast(from_vector(given, {static_cast<int64_t>(given.size())}), DType::f16));
  int wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [x, expected] = pairs[i];
    if (rounded[2 * i] == expected && rounded[2 * i + 1] == -expected) continue;
    if (wrong++ == 0) MESSAGE(x, " became ", rounded[2 * i], ", and the nearest is ", expected);
  }
  CHECK(wrong == 0);
  const Tensor ends = cast(tensor({65519.99, 65520, 1e300, -INFINITY, 1e-300, -1e-300, std::nan("")}, DType::f64), DType::f16);
  CHECK(difference(ends, tensor({65504, INFINITY, INFINITY, -INFINITY, 0, 0, std::nan("")}), 0) == "");
  CHECK(std::signbit(ends.at({5})));
}

TEST_CASE("f16: each way by which a number gets into a tensor rounds it once") {
  const double x = 1 + 0x1p-11 + 0x1p-40, nearest = 1 + 0x1p-10;
  Tensor changed = zeros({1}, DType::f16);
  changed.set({0}, x);
  CHECK(changed.item() == nearest);
  changed.fill(0);
  changed.assign(tensor({x}, DType::f64));
  CHECK(changed.item() == nearest);
  CHECK(tensor({x}, DType::f16).item() == nearest);
  CHECK(full({}, x, DType::f16).item() == nearest);
  CHECK(linspace(x, x, 1, DType::f16).item() == nearest);
  CHECK(scalar_like(changed, x).item() == nearest);
}

TEST_CASE("cast: from i64 to f16 it rounds once, to the nearest, and to infinity from 65520 on") {
  std::vector<int64_t> given;
  for (int64_t i = 0; i < 70'000; ++i) given.push_back(i);
  given.insert(given.end(), {int64_t{1} << 24, (int64_t{1} << 53) + 1, INT64_MAX, INT64_MIN});
  const Tensor x = from_vector(given, {static_cast<int64_t>(given.size())});
  CHECK(equal(cast(x, DType::f16), cast(cast(x, DType::f64), DType::f16)));  // all that is finite in f16 is exact in f64
}

TEST_CASE("cast: f16 overflows to infinity, keeps subnormal numbers and NaN") {
  const Tensor x = cast(tensor({65504, 65536, -1e9, 0x1p-24, 0x1p-26, std::nan("")}), DType::f16);
  CHECK(difference(x, tensor({65504, INFINITY, -INFINITY, 0x1p-24, 0, std::nan("")}), 0) == "");
}

TEST_CASE("cast: to i64 cuts off the fraction") { CHECK(to_vector(cast(tensor({1.9, -1.9, 0.5}), DType::i64)) == Values{1, -1, 0}); }

TEST_CASE("cast: to its own dtype is the tensor itself") {
  const Tensor x = tensor({1, 2});
  CHECK(cast(x, DType::f32).same_as(x));
}

TEST_CASE("cast: the gradient comes back in the dtype of the input") {
  Tensor x = tensor({1, 2, 3}, DType::f16).set_requires_grad();
  const Tensor y = square(cast(x, DType::f32));
  CHECK(y.dtype() == DType::f32);
  sum(y).backward();
  CHECK(x.grad().dtype() == DType::f16);
  CHECK(to_vector(x.grad()) == Values{2, 4, 6});
}

TEST_CASE("cast: to i64 leaves the tape") {
  const Tensor x = tensor({1, 2}).set_requires_grad();
  CHECK_FALSE(cast(x, DType::i64).requires_grad());
}

TEST_CASE("mixed dtypes: an i64 operand is read in the dtype of the floating one") {
  const Tensor ids = tensor({1, 2, 3}, DType::i64), x = tensor({0.5, 0.5, 0.5}, DType::f16);
  for (const Tensor& y : {ids * x, x * ids}) {
    CHECK(y.dtype() == DType::f16);
    CHECK(to_vector(y) == Values{0.5, 1, 1.5});
  }
  CHECK((ids + ids).dtype() == DType::i64);
  CHECK(to_vector(maximum(ids, 4 - ids)) == Values{3, 2, 3});
}

TEST_CASE("mixed dtypes: where reads the i64 one of its two operands in the dtype of the floating one") {
  const Tensor mask = tensor({1, 0}, DType::i64), ids = tensor({3, 4}, DType::i64), x = tensor({0.5, 1.5});
  CHECK(where(mask, ids, x).dtype() == DType::f32);
  CHECK(to_vector(where(mask, ids, x)) == Values{3, 1.5});
  CHECK(to_vector(where(mask, x, ids)) == Values{0.5, 4});
}

TEST_CASE("mixed dtypes: a mask times a tensor passes the gradient where it is 1") {
  Tensor x = tensor({-1, 2, 3}).set_requires_grad();
  sum(x * (x > 0)).backward();
  CHECK(to_vector(x.grad()) == Values{0, 1, 1});
}

TEST_CASE("mixed dtypes: i64 base and exponent of pow, on either side of the tape") {
  Tensor x = tensor({1, 2}).set_requires_grad();
  sum(pow(x, tensor({2, 3}, DType::i64))).backward();
  CHECK(to_vector(x.grad()) == Values{2, 12});
  Tensor exponent = tensor({1, 2}).set_requires_grad();
  sum(pow(tensor({1, 1}, DType::i64), exponent)).backward();
  CHECK(to_vector(exponent.grad()) == Values{0, 0});
}

TEST_CASE("==, !=: element by element, with a tensor or a number") {
  const Tensor x = tensor({1, 2, 3}), y = tensor({1, 5, 3});
  CHECK((x == y).dtype() == DType::i64);
  CHECK(to_vector(x == y) == Values{1, 0, 1});
  CHECK(to_vector(x != y) == Values{0, 1, 0});
  CHECK(to_vector(x == 2) == Values{0, 1, 0});
  CHECK(to_vector(x != 2) == Values{1, 0, 1});
}

TEST_CASE("mean: of an i64 tensor in f32, of a sum that f32 could not hold") {
  const Tensor share = mean(tensor({1, 2, 3, 4}) == tensor({1, 2, 0, 4}));
  CHECK(share.dtype() == DType::f32);
  CHECK(share.item() == 0.75);
  CHECK(to_vector(mean(tensor({{1, 2}, {3, 5}}, DType::i64), 1)) == Values{1.5, 4});
  CHECK(var(tensor({1, 2, 3}, DType::i64)).item() == 1);
  const int64_t large = int64_t{1} << 24;
  CHECK(mean(from_vector(std::vector<int64_t>{large, 1, -large, 2}, {4})).item() == 0.75);
}
