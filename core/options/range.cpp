#include "core/options/range.h"

namespace gradus {

bool Range::holds(double value) const {
  return (value > low || (includes_low && value == low)) && (value < high || (includes_high && value == high));
}

std::string Range::str() const {
  if (high != range::infinity || (low == -range::infinity && includes_low)) {
    return fmt::format("in {}{}, {}{}", includes_low ? '[' : '(', low, high, includes_high ? ']' : ')');
  }
  const std::string from = low == -range::infinity ? ""
                           : low == 0              ? (includes_low ? "not negative" : "positive")
                                                   : fmt::format("{} {}", includes_low ? "at least" : "above", low);
  if (includes_high) return from;
  return from.empty() ? "finite" : "finite and " + from;
}

double check_range(const char* name, double value, const Range& range, OpName op) {
  check<ValueError>(range.holds(value), "{}: {} must be {}, got {}", op, name, range.str(), value);
  return value;
}

std::int64_t check_size(const char* name, std::int64_t size, OpName op) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  check<ValueError>(size > 0, "{}: {} must be positive, got {}", op, name, size);
  check<ValueError>(size <= kMost, "{}: {} must be at most 2⁴⁰, got {}", op, name, size);
  return size;
}

}  // namespace gradus
