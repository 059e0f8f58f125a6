// Range: the numbers that an option may have. It is checked where the option is given, so that a senseless number gets no
// further.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/check.h"

namespace gradus {

// The numbers from `low` to `high`, each end included unless its flag is false. NaN is in no range, ∞ only in one that
// includes it as an end.
struct Range {
  double low, high;
  bool includes_low = true, includes_high = true;

  bool holds(double value) const;
  std::string str() const;  // what follows "must be": "in [0, 1)", "finite and positive"
};

namespace range {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range finite{-infinity, infinity, false, false};
inline constexpr Range not_negative{0, infinity, true, false};
inline constexpr Range positive{0, infinity, false, false};
inline constexpr Range share{0, 1};                   // [0, 1]
inline constexpr Range below_one{0, 1, true, false};  // [0, 1)
}  // namespace range

// Returns `value`. ValueError unless the range holds it: "Dropout: p must be in [0, 1), got nan", where `op` is Dropout and
// `name` is p.
double check_range(const char* name, double value, const Range& range, OpName op = {});

// Returns `size`, say a number of features or of layers. ValueError unless 1 <= size <= 2⁴⁰: its product with a number
// below 2²³ fits in 64 bits.
std::int64_t check_size(const char* name, std::int64_t size, OpName op = {});

}  // namespace gradus
