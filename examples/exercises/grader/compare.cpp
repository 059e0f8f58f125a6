#include "examples/exercises/grader/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace gradus::exercises {

bool equal(const Array& a, const Array& b) {
  const double scale = largest(b);
  return a.shape == b.shape && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                                          [=](double u, double v) { return close(u, v, scale); });
}

bool equal(const Outputs& a, const Outputs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Array& u, const Array& v) { return equal(u, v); });
}

bool all_equal(const Many& a, const Many& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Outputs& u, const Outputs& v) { return equal(u, v); });
}

bool same_shapes(const Many& a, const Many& b) {
  const auto of_array = [](const Array& u, const Array& v) { return u.shape == v.shape && u.numbers.size() == v.numbers.size(); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Outputs& u, const Outputs& v) { return std::equal(u.begin(), u.end(), v.begin(), v.end(), of_array); });
}

Many of_all(const std::vector<Probe>& probes, const Function& function) {
  Many many;
  for (const Probe& probe : probes) many.push_back(function(probe));
  return many;
}

Attempt attempt(const Function& function, const Probe& probe) {
  try {
    return {function(probe)};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  } catch (...) {  // of the grader's own: a shape that does not fit
    return {};
  }
}

std::string beside(double value, double other) {
  int digits = 4;
  while (digits < 17 && value != other && fmt::format("{:.{}g}", value, digits) == fmt::format("{:.{}g}", other, digits)) ++digits;
  return fmt::format("{:.{}g}", value, digits);
}

std::string place(const Array& array, std::size_t at) {
  if (array.shape.empty()) return array.name;
  const auto columns = static_cast<std::size_t>(std::max(columns_of(array), 1));
  if (array.shape.size() == 1) return fmt::format("{}[{}]", array.name, at);
  return fmt::format("{}[{}][{}]", array.name, at / columns, at % columns);
}

}  // namespace gradus::exercises
