#include "tests/support/check.h"

#include <algorithm>
#include <cmath>

namespace gradus::test {

std::string difference(const Tensor& actual, const Tensor& expected, double tolerance) {
  if (!actual.defined() || !expected.defined()) return "undefined";
  if (actual.shape() != expected.shape()) return fmt::format("shape {}, expected {}", actual.shape(), expected.shape());
  const Values got = to_vector(actual), wanted = to_vector(expected);
  double scale = 1;
  for (double value : wanted) {
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]));
    if (same || std::abs(got[i] - wanted[i]) <= tolerance * scale) continue;
    return fmt::format("element {}: {}, expected {} (off by {:.3g}, allowed {:.3g})", i, got[i], wanted[i], std::abs(got[i] - wanted[i]),
                       tolerance * scale);
  }
  return "";
}

}  // namespace gradus::test
