// What Newton and Schulz's iteration makes of a singular value s of a matrix with norm 1, after 1, 3 and 5 times, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/core.h"
#include "optim/muon.h"

using namespace gradus;

int main() {
  std::vector<double> values;
  for (int i = -160; i <= 0; ++i) values.push_back(std::pow(10, i / 40.0));
  fmt::print("{{\"s\": [{:.4g}]", fmt::join(values, ", "));
  for (const int64_t times : {1, 3, 5}) {
    std::vector<double> made;
    for (const double s : values) {
      const Tensor x = tensor({{s, 0}, {0, std::sqrt(std::max(0.0, 1 - s * s))}}, DType::f64);
      made.push_back(optim::newton_schulz(x, times).at({0, 0}));
    }
    fmt::print(",\n \"{}\": [{:.4g}]", times, fmt::join(made, ", "));
  }
  fmt::print("}}\n");
}
