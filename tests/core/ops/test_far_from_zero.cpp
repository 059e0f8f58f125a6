// Means and variances of numbers far from 0: of the same numbers, what long double gives.
#include <cmath>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kWidths[] = {1, 2, 3, 7, 16, 64, 100, 255, 768, 1024, 4096};

struct Statistics {
  double mean, variance;
  Values deviations;
};

// The statistics of one row, its numbers as they are, by the definitions.
Statistics statistics(const Tensor& row) {
  const Tensor wide = cast(row, DType::f64);
  const auto* x = wide.data<double>();
  const int64_t n = row.numel();
  long double sum = 0, squares = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  const long double mean = sum / static_cast<long double>(n);
  Values deviations;
  for (int64_t i = 0; i < n; ++i) {
    const long double d = x[i] - mean;
    squares += d * d;
    deviations.push_back(static_cast<double>(d));
  }
  return {static_cast<double>(mean), static_cast<double>(squares / static_cast<long double>(n)), deviations};
}

// n numbers, evenly spread by 1 around `middle`, as far as the dtype can say.
Tensor spread(int64_t n, double middle, DType dtype) {
  Generator generator(static_cast<std::uint64_t>(n));
  return cast(middle + uniform({n}, -0.5, 0.5, DType::f64, generator), dtype);
}

}  // namespace

TEST_CASE("mean, centered, var and std of numbers far from 0 are those of the same numbers") {
  for (const DType dtype : {DType::f32, DType::f16}) {
    const double roundoff = dtype == DType::f32 ? 0x1p-24 : 0x1p-11;
    for (const double middle : {1.0, -30.0, 1e3, 1e4, 1e5, 1e6, 1e7}) {
      if (dtype == DType::f16 && std::fabs(middle) > 1e4) continue;
      for (const int64_t n : kWidths) {
        const Tensor x = spread(n, middle, dtype);
        const Statistics exact = statistics(x);
        CAPTURE(dtype);
        CAPTURE(middle);
        CAPTURE(n);
        CHECK(mean(x).item() == doctest::Approx(exact.mean).epsilon(4 * roundoff));
        CHECK(difference(cast(centered(x), DType::f64), from_vector(exact.deviations, {n}), 2 * roundoff) == "");
        CHECK(var(x, {}, 0).item() == doctest::Approx(exact.variance).epsilon(4 * roundoff));
        CHECK(stddev(x, {}, 0).item() == doctest::Approx(std::sqrt(exact.variance)).epsilon(4 * roundoff));
      }
    }
  }
}

TEST_CASE("centered, var and std of equal numbers are 0, whatever the number") {
  for (const double value : {0.1, 3.3, 5.7, -25.7, 100.1, 10000.1, 1234567.8, 3.3e30}) {
    for (const DType dtype : {DType::f32, DType::f64, DType::f16}) {
      if (dtype == DType::f16 && value > 60000) continue;
      for (const int64_t n : kWidths) {
        const Tensor x = full({n}, value, dtype);
        CAPTURE(value);
        CAPTURE(dtype);
        CAPTURE(n);
        CHECK(max(abs(centered(x))).item() == 0);
        CHECK(var(x, {}, 0).item() == 0);
        CHECK(stddev(x, {}, 0).item() == 0);
      }
    }
  }
}

TEST_CASE("mean, var: 10,000 numbers between 10⁶ and 10⁶ + 1, in f32: the mean is rounded twice, whatever a vector's width") {
  const Tensor x = cast(linspace(1e6, 1e6 + 1, 10000, DType::f64), DType::f32);
  CHECK(var(x, {}, 0).item() == doctest::Approx(statistics(x).variance).epsilon(1e-6));
  CHECK(mean(x).item() == doctest::Approx(1e6 + 0.5).epsilon(0x1p-23));
}

TEST_CASE("centered: over any axes, and of a column as of a row") {
  Generator generator(5);
  const Tensor x = 1e6 + uniform({3, 700, 2}, -0.5, 0.5, DType::f32, generator);
  const Tensor all = centered(x), columns = centered(x, 1), rows = centered(permute(x, {0, 2, 1}), -1);
  CHECK(difference(columns, permute(rows, {0, 2, 1}), 1e-6) == "");
  CHECK(difference(cast(all, DType::f64), from_vector(statistics(flatten(x)).deviations, x.shape()), 1e-6) == "");
  const Tensor counts = tensor({1, 2, 6}, DType::i64);
  CHECK(equal(centered(counts), tensor({-2, -1, 3})));
}
