// finite-differences: the slope of sin at 1, measured with differences of width h, and by the tape: relative errors, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/core.h"

using namespace gradus;

namespace {

const double kSlope = std::cos(1.0);

std::vector<double> errors(const std::vector<double>& widths, DType dtype, bool central) {
  const Tensor x = ones({}, dtype), h = tensor(widths, dtype);
  const Tensor slope = central ? (sin(x + h) - sin(x - h)) / (2 * h) : (sin(x + h) - sin(x)) / h;
  return to_vector(abs(cast(slope, DType::f64) - kSlope) / kSlope);
}

}  // namespace

int main() {
  std::vector<double> widths;
  for (int quarter = -64; quarter <= -4; ++quarter) widths.push_back(std::pow(10, quarter / 4.0));
  const auto row = [](const std::string& name, const std::vector<double>& values, const char* end) {
    fmt::print(" \"{}\": [{:.2g}]{}\n", name, fmt::join(values, ", "), end);
  };
  fmt::print("{{\n");
  row("h", widths, ",");
  row("forward f32", errors(widths, DType::f32, false), ",");
  row("forward f64", errors(widths, DType::f64, false), ",");
  row("central f32", errors(widths, DType::f32, true), ",");
  row("central f64", errors(widths, DType::f64, true), "");
  fmt::print("}}\n");
}
