#include "core/inspect/gradcheck_factor.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (times > 1) return fmt::format("{} times the numeric one everywhere: a sum where a mean was meant, or the same added twice?", times);
  if (part == 2) return "1/2 of the numeric one everywhere: one of two uses lost, or a mean where a sum was meant?";
  if (part > 1) return fmt::format("1/{} of the numeric one everywhere: a mean where a sum was meant?", part);
  return fmt::format("{:.6g} times the numeric one everywhere: a constant factor is wrong", factor);
}

}  // namespace

void GradientFactor::add(std::size_t input, std::int64_t entry, double analytic, double numeric) {
  of_inputs_[input].push_back({entry, analytic, numeric});
}

std::string GradientFactor::text() const {
  std::string text;
  for (const auto& [input, pairs] : of_inputs_) {
    const auto size = [](const Pair& a, const Pair& b) { return std::abs(a.numeric) < std::abs(b.numeric); };
    const Pair& largest = *std::max_element(pairs.begin(), pairs.end(), size);
    const double factor = largest.analytic / largest.numeric, noise = 1e-9 * std::abs(largest.numeric);
    const auto fits = [=](const Pair& p) {  // false for NaN
      return std::abs(p.analytic - factor * p.numeric) <= 1e-5 * std::abs(factor * p.numeric) + noise;
    };
    const auto tells = [&](const Pair& p) { return p.entry != largest.entry && std::abs(p.numeric) > 1e-6; };
    const bool of_all = std::all_of(pairs.begin(), pairs.end(), fits) && std::any_of(pairs.begin(), pairs.end(), tells);
    if (of_all && std::abs(factor - 1) >= 1e-3) text += fmt::format("\n  the analytic gradient of input {} is {}", input, said_of(factor));
  }
  return text;
}

}  // namespace gradus
