// Which numbers an option may be.
#include "core/options/range.h"

#include <cmath>

#include "tests/support/check.h"

using namespace gradus;
using range::infinity;

TEST_CASE("range: NaN is in none, an end only in one that includes it") {
  const Range ranges[] = {range::finite,    range::not_negative,   range::positive, range::share,
                          range::below_one, {-infinity, infinity}, {0.1, infinity}};
  for (const Range& range : ranges) {
    CAPTURE(range.str());
    CHECK_FALSE(range.holds(std::nan("")));
    CHECK(range.holds(0.5));
    CHECK(range.holds(infinity) == (range.includes_high && range.high == infinity));
    CHECK(range.holds(range.low) == range.includes_low);
    CHECK(range.holds(range.high) == range.includes_high);
    CHECK_FALSE((range.low > -infinity && range.holds(std::nextafter(range.low, -infinity))));
    CHECK_FALSE((range.high < infinity && range.holds(std::nextafter(range.high, infinity))));
  }
}

TEST_CASE("range: an option outside of it is refused in words, one within is handed on") {
  CHECK(check_range("p", 0.25, range::below_one, "Dropout") == 0.25);
  const auto refused = [](double value, const Range& range, const char* said) {
    CHECK_THROWS_WITH_AS(check_range("p", value, range, "Dropout"), said, ValueError);
  };
  refused(1, range::below_one, "Dropout: p must be in [0, 1), got 1");
  refused(std::nan(""), range::share, "Dropout: p must be in [0, 1], got nan");
  refused(infinity, range::finite, "Dropout: p must be finite, got inf");
  refused(-1, range::not_negative, "Dropout: p must be finite and not negative, got -1");
  refused(0, range::positive, "Dropout: p must be finite and positive, got 0");
  refused(0, {0, infinity, false}, "Dropout: p must be positive, got 0");
  refused(0, {0.1, infinity, true, false}, "Dropout: p must be finite and at least 0.1, got 0");
  refused(2, {2, 3, false, false}, "Dropout: p must be in (2, 3), got 2");
  refused(infinity, {-infinity, infinity, true, false}, "Dropout: p must be in [-inf, inf), got inf");
}

TEST_CASE("range: a size is positive and at most 2⁴⁰") {
  constexpr int64_t kMost = int64_t{1} << 40;
  for (const int64_t size : {int64_t{1}, kMost}) CHECK(check_size("in", size, "Linear") == size);
  for (const int64_t size : {int64_t{0}, int64_t{-1}, INT64_MIN}) {
    CHECK_THROWS_WITH_AS(check_size("in", size, "Linear"), fmt::format("Linear: in must be positive, got {}", size).c_str(), ValueError);
  }
  for (const int64_t size : {kMost + 1, INT64_MAX}) {
    CHECK_THROWS_WITH_AS(check_size("in", size, "Linear"), fmt::format("Linear: in must be at most 2⁴⁰, got {}", size).c_str(), ValueError);
  }
}
