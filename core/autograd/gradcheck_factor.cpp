#include "core/autograd/gradcheck_factor.h"

#include <fmt/format.h>

#include <cmath>

namespace gradus {
namespace {

// The whole number that x is within the accuracy of differences, or 0.
long whole(double x) {
  const double nearest = std::round(x);
  return std::abs(x) < 1e6 && std::abs(x - nearest) <= 1e-6 * std::abs(nearest) ? std::lround(nearest) : 0;
}

std::string said_of(double factor) {
  if (factor == 0) return "0 everywhere, and the numeric one is not: is its rule missing, or cut off from the tape?";
  const long times = whole(factor), part = whole(1 / factor);
  if (times == -1) return "the numeric one with the other sign, everywhere: is a sign the wrong way round?";
  if (times > 1)
    return fmt::format("{} times the numeric one everywhere: a sum where a mean was meant, or the same added twice?", times);
  if (part > 1) return fmt::format("1/{} of the numeric one everywhere: a mean where a sum was meant?", part);
  return fmt::format("{:.6g} times the numeric one everywhere: a constant factor is wrong", factor);
}

}  // namespace

void GradientFactor::add(std::size_t input, std::int64_t entry, double analytic, double numeric) {
  Sums& sums = of_inputs_[input];
  sums.aa += analytic * analytic;
  sums.an += analytic * numeric;
  sums.nn += numeric * numeric;
  if (std::abs(numeric) < 1e-6 || entry == sums.last) return;
  sums.last = entry;
  ++sums.entries;
}

std::string GradientFactor::text() const {
  std::string text;
  for (const auto& [input, sums] : of_inputs_) {
    const double product = sums.aa * sums.nn, factor = sums.an / sums.nn;
    const bool parallel = product - sums.an * sums.an <= 1e-10 * product;  // false for NaN
    if (sums.entries < 2 || !parallel || std::abs(factor - 1) < 1e-3) continue;
    text += fmt::format("\n  the analytic gradient of input {} is {}", input, said_of(factor));
  }
  return text;
}

}  // namespace gradus
