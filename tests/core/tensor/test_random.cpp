// Random tensors: distribution, reproducibility, independence of the number of threads.
#include "core/tensor/random.h"

#include <algorithm>
#include <numeric>

#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// E[z^power] of the sample.
double moment(const Tensor& z, int power) { return mean(pow(z, power)).item(); }

}  // namespace

// A mean of n samples of spread s strays by s/√n; five times that has a chance of one in a million.
TEST_CASE("randn: the first four moments of the normal distribution") {
  constexpr int64_t n = 1'000'000;
  Generator generator(1);
  const Tensor z = randn({n}, DType::f64, generator);
  CHECK(std::abs(moment(z, 1)) < 5 / 1e3);
  CHECK(std::abs(moment(z, 2) - 1) < 5 * std::sqrt(2) / 1e3);
  CHECK(std::abs(moment(z, 3)) < 5 * std::sqrt(15) / 1e3);
  CHECK(std::abs(moment(z, 4) - 3) < 5 * std::sqrt(96) / 1e3);
  CHECK(max(abs(z)).item() > 4.4);  // the tails are there
  CHECK(max(abs(z)).item() < 6);
}

TEST_CASE("randn: neighbours are independent") {
  constexpr int64_t n = 1'000'000;
  Generator generator(2);
  const Tensor z = randn({n}, DType::f64, generator);
  for (int64_t lag : {1, 2, 3, 4}) CHECK(std::abs(mean(slice(z, 0, lag) * slice(z, 0, 0, n - lag)).item()) < 5 / 1e3);
}

TEST_CASE("uniform: in [low, high), mean and variance") {
  Generator generator(3);
  const Tensor u = uniform({1'000'000}, -1, 3, DType::f64, generator);
  CHECK(min(u).item() >= -1);
  CHECK(max(u).item() < 3);
  CHECK(mean(u).item() == doctest::Approx(1).epsilon(0.006));
  CHECK(var(u).item() == doctest::Approx(16.0 / 12).epsilon(0.01));
  CHECK_THROWS_WITH_AS(uniform({1}, 2, 1), "uniform: low 2 is above high 1", ValueError);
}

TEST_CASE("uniform: a range that is not finite is refused") {
  CHECK_THROWS_WITH_AS(uniform({2}, -INFINITY, INFINITY), "uniform: the range from -inf to inf is not finite", ValueError);
  CHECK_THROWS_AS(uniform({2}, -1.7e308, 1.7e308), ValueError);
  CHECK_THROWS_AS(uniform({2}, INFINITY, INFINITY), ValueError);
}

TEST_CASE("randint: each of the integers, about equally often") {
  Generator generator(4);
  const Tensor ids = randint(-2, 3, {100'000}, generator);
  CHECK(ids.dtype() == DType::i64);
  for (int64_t value = -2; value < 3; ++value) {
    CHECK(sum(eq(ids, scalar_like(ids, static_cast<double>(value)))).item() == doctest::Approx(20'000).epsilon(0.03));
  }
  constexpr int64_t far = (int64_t{1} << 53) + 1;  // beyond what f64 counts
  const Tensor two = randint(far, far + 2, {100}, generator);
  CHECK(min(two - static_cast<double>(far - 1)).item() == 1);
  CHECK(max(two - static_cast<double>(far - 1)).item() == 2);
  CHECK_THROWS_AS(randint(INT64_MIN, INT64_MAX, {1}), ValueError);
  CHECK_THROWS_WITH_AS(randint(3, 3, {1}), "randint: low 3 must be below high 3", ValueError);
}

TEST_CASE("randperm: every number once, in another order") {
  Generator generator(5);
  const Tensor order = randperm(1000, generator);
  CHECK(equal(sort(order).values, arange(1000)));
  CHECK_FALSE(equal(order, arange(1000)));
  CHECK(randperm(0, generator).shape() == Shape{0});
  CHECK_THROWS_AS(randperm(-1, generator), ValueError);
}

TEST_CASE("random tensors: the same seed gives the same values, another seed others") {
  manual_seed(7);
  const Tensor a = randn({100}), b = randn({100});
  manual_seed(7);
  CHECK(equal(randn({100}), a));
  CHECK(equal(randn({100}), b));
  CHECK_FALSE(equal(a, b));
  manual_seed(8);
  CHECK_FALSE(equal(randn({100}), a));
  manual_seed(0);
}

TEST_CASE("random tensors: the values do not depend on the number of threads") {
  Tensors found;
  for (int count : {1, 2, 3, 7}) {
    const Threads threads(count);
    Generator generator(9);
    found.push_back(randn({100'001}, DType::f32, generator));
  }
  for (const Tensor& x : found) CHECK(equal(x, found[0]));
}

TEST_CASE("random tensors: f16 and f32 are the f64 values, rounded") {
  for (DType dtype : {DType::f16, DType::f32}) {
    Generator wide(11), narrow(11);
    CHECK(equal(randn({99}, dtype, narrow), cast(randn({99}, DType::f64, wide), dtype)));
  }
  CHECK_THROWS_WITH_AS(randn({1}, DType::i64), "randn: needs a floating dtype, got i64", DTypeError);
  CHECK_THROWS_AS(uniform({1}, 0, 1, DType::i64), DTypeError);
}

TEST_CASE("generator: its state can be saved and restored") {
  Generator generator(12);
  generator.uniform();
  const auto seed = generator.seed(), counter = generator.counter();
  const Tensor expected = randn({5}, DType::f32, generator);
  Generator other(99);
  other.restore(seed, counter);
  CHECK(equal(randn({5}, DType::f32, other), expected));
  CHECK(other.counter() == generator.counter());
}

// The known-answer test of the authors of Philox: key 0, counter 0.
TEST_CASE("generator: the published words of Philox 4x32-10") {
  const Generator::Words words = Generator(0).words(0);
  CHECK(words == Generator::Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
}

TEST_CASE("generator: below stays below, and refuses 0") {
  Generator generator(13);
  std::vector<int> counts(3);
  for (int i = 0; i < 3000; ++i) ++counts[static_cast<std::size_t>(generator.below(3))];
  for (int count : counts) CHECK(std::abs(count - 1000) < 130);
  CHECK_THROWS_WITH_AS(generator.below(0), "below: the bound must be positive, got 0", ValueError);
}
