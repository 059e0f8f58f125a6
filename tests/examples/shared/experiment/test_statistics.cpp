// Statistics of an ablation against numbers worked out by hand and Student's table.
#include "examples/shared/experiment/statistics.h"

#include <cmath>

#include "core/core.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using doctest::Approx;

TEST_CASE("spread: the mean, and the root of the squares' sum over n - 1") {
  const Spread spread = spread_of({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(spread.runs == 8);
  CHECK(spread.mean == 5);
  CHECK(spread.sigma == Approx(2.138090));  // √(32 / 7)
  CHECK(std::isnan(spread_of({1}).sigma));
  CHECK(standard_error({.runs = 16, .mean = 1, .sigma = 2}, 4) == Approx(1.118034));  // 2 √(1/4 + 1/16)
}

TEST_CASE("in spreads, and percent significant: over all choices of n runs, by two standard errors") {
  const Spread baseline{.runs = 1000000, .mean = 10, .sigma = 1};
  CHECK(in_spreads({8, 10, 13}, baseline) == std::vector<double>{-2, 0, 3});
  CHECK(percent_significant({{10, 13}, {10, 10}}, 1, baseline) == 25);
  CHECK(percent_significant({{10, 13}, {10, 10}}, 2, baseline) == 50);  // 1.5 is beyond 2 / √2, and 3 / √2 not the border
  CHECK(percent_significant({{10, 13, 10}}, 2, baseline) == Approx(200.0 / 3));
  CHECK(percent_significant({{NAN}}, 1, baseline) == 100);                            // it diverged
  CHECK(percent_significant({{12.5}}, 1, {.runs = 1, .mean = 10, .sigma = 1}) == 0);  // 2 √2: the baseline's own error counts
}

TEST_CASE("two-sided: the borders of 5 % and 1 % in Student's table, for odd and even degrees") {
  const std::tuple<double, std::int64_t, double> table[] = {{12.7062, 1, 0.05},  {4.30265, 2, 0.05}, {3.18245, 3, 0.05},
                                                            {2.77645, 4, 0.05},  {2.36462, 7, 0.05}, {2.13145, 15, 0.05},
                                                            {2.04227, 30, 0.05}, {3.49948, 7, 0.01}, {9.92484, 2, 0.01}};
  for (const auto& [t, degrees, p] : table) {
    CAPTURE(degrees);
    CHECK(two_sided(t, degrees) == Approx(p).epsilon(1e-4));
    CHECK(two_sided(-t, degrees) == two_sided(t, degrees));
  }
  CHECK(two_sided(0, 5) == Approx(1));
  CHECK(two_sided(1.96, 1000000) == Approx(0.05).epsilon(1e-3));  // the normal distribution
  CHECK_THROWS_AS(two_sided(1, 0), ValueError);
}

TEST_CASE("paired: differences seed by seed, their own standard error, correlation, p") {
  const Paired d = paired({3, 5, 8}, {1, 2, 3});  // 2, 3, 5
  CHECK(d.pairs == 3);
  CHECK(d.mean == Approx(3.333333));
  CHECK(d.standard_error == Approx(0.881917));
  CHECK(d.correlation == Approx(0.993399));
  CHECK(d.p == Approx(0.063414).epsilon(1e-4));  // 1 - t / √(2 + t²), t = 3.779645
  CHECK(d.reversed().mean == -d.mean);
  CHECK(d.reversed().p == d.p);
  CHECK_THROWS_AS(paired({1, 2}, {1}), ValueError);
}

TEST_CASE("significant: by p times the comparisons, and by no fewer than three pairs") {
  const Paired d{.pairs = 3, .mean = -1, .standard_error = 0.1, .correlation = 0, .p = 0.01};
  CHECK(significant(d, 4));
  CHECK_FALSE(significant(d, 5));
  Paired two = d;
  two.pairs = 2;
  CHECK_FALSE(significant(two, 1));
  CHECK(lower(d, 4) == Verdict::confirmed);
  CHECK(lower(d.reversed(), 4) == Verdict::refuted);  // false data
  CHECK(lower(d, 5) == Verdict::undecided);
  CHECK_FALSE(significant(paired({1, 1, NAN}, {1, 2, 3}), 1));
}

TEST_CASE("pairs needed: for a power of 80 %, as the tables of the paired t test have it") {
  const auto of = [](double mean) { return Paired{.pairs = 4, .mean = mean, .standard_error = 0.5}; };  // differences spread by 1
  CHECK(std::ceil(pairs_needed(of(0.2), 1)) == 199);                                                    // Cohen (1988), two-sided 5 %
  CHECK(std::ceil(pairs_needed(of(-0.5), 1)) == 34);
  CHECK(std::ceil(pairs_needed(of(0.8), 1)) == 15);
  CHECK(pairs_needed(of(0.5), 8) > 1.5 * pairs_needed(of(0.5), 1));
  CHECK(pairs_needed(of(0), 1) == 1e5);
  CHECK(pairs_needed(of(1e3), 1) == 3);
}

// With as many pairs drawn as are needed, four of five trials are significant.
TEST_CASE("pairs needed: simulated, that many pairs show the difference in four of five trials") {
  Generator random(1);
  const double effect = 0.9;
  const auto pairs = static_cast<std::int64_t>(std::ceil(pairs_needed({.pairs = 4, .mean = effect, .standard_error = 0.5}, 1)));
  int found = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    const Tensor drawn = randn({pairs}, DType::f64, random) + effect;
    const std::vector<double> values(drawn.data<double>(), drawn.data<double>() + pairs);
    found += significant(paired(values, std::vector<double>(values.size())), 1) ? 1 : 0;
  }
  CHECK(found / double{trials} == Approx(0.8).epsilon(0.05));
}

TEST_CASE("signed rank: all on one side is 2 in 2ⁿ; ties share their rank, zeros are left out; known values") {
  CHECK(signed_rank({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) == Approx(2.0 / 1024));
  CHECK(signed_rank({-0.1, -0.3, -0.2}) == Approx(2.0 / 8));
  // Wilcoxon's table: of ten, a smaller sum of 8 has p = 0.0488, of 9 0.0645.
  CHECK(signed_rank({-8, 1, 2, 3, 4, 5, 6, 7, 9, 10}) == Approx(0.048828125));
  CHECK(signed_rank({-9, 1, 2, 3, 4, 5, 6, 7, 8, 10}) == Approx(0.064453125));
  CHECK(signed_rank({1, 1, 1, -1}) == Approx(0.625));  // sums of 2.5, or 7.5, or farther: 10 of 16
  CHECK(signed_rank({0, 0, 1, 2, 3}) == Approx(2.0 / 8));
  CHECK(signed_rank({1, -1}) == 1);
  CHECK(signed_rank({}) == 1);
  CHECK(signed_rank({1, NAN, 2}) == 1);
}

TEST_CASE("equal within: needs the whole interval inside; that no difference is significant is not enough") {
  const auto of = [](double mean, double error) {
    return Paired{.pairs = 8, .mean = mean, .standard_error = error, .correlation = 0, .p = 1};
  };
  CHECK(equal_within(of(0, 0.5), 1));  // 2 standard errors to the border; one-sided 5 % of 7 degrees: 1.895
  CHECK_FALSE(equal_within(of(0, 0.6), 1));
  CHECK_FALSE(equal_within(of(0.2, 0.5), 1));
  CHECK_FALSE(equal_within(of(-0.2, 0.5), 1));
  CHECK_FALSE(equal_within(of(3, 0.1), 1));
  Paired two = of(0, 0.001);
  two.pairs = 2;
  CHECK_FALSE(equal_within(two, 1));
}
