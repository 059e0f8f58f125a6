// Means over a standard normal z, by numbers that know nothing of a closed form.
#pragma once

#include <cmath>
#include <functional>

#include "docs/examples/derivation.h"

namespace gradus::docs {

inline constexpr double kBellAt0 = 0.39894228040143267794;  // φ(0) = 1/√(2π)

inline double bell(double x) { return kBellAt0 * std::exp(-x * x / 2); }  // φ(x)

// ∫ f φ from a to b, by Simpson's rule.
inline double mean_of(const std::function<double(double)>& f, double a, double b) {
  constexpr int64_t n = 20'000;
  const double h = (b - a) / n;
  return h / 3 * sum(n + 1, [&](int64_t i) {
    const double z = a + h * static_cast<double>(i);
    return (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * f(z) * bell(z);
  });
}

// The mean of f(z), where f may have a kink at 0.
inline double mean_of(const std::function<double(double)>& f) { return mean_of(f, -12, 0) + mean_of(f, 0, 12); }

}  // namespace gradus::docs
