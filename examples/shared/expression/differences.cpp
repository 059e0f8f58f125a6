#include "examples/shared/expression/differences.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"

namespace gradus::examples {

std::vector<double> central_differences(const std::function<double(const Tensor&)>& f, const Tensor& x) {
  const NoGrad off;
  const std::vector<double> values = to_vector(cast(x, DType::f64));
  const auto with = [&](std::size_t i, double value) {
    std::vector<double> moved = values;
    moved[i] = value;
    return f(from_vector(moved, x.shape()));
  };
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double h = 1e-5 * std::max(1.0, std::abs(values[i])), above = values[i] + h, below = values[i] - h;
    slopes.push_back((with(i, above) - with(i, below)) / (above - below));
  }
  return slopes;
}

}  // namespace gradus::examples
