#include "examples/ch10_optimisation/banana.h"

#include <cmath>

#include "core/core.h"

namespace gradus::examples {

Tensor banana(const Tensor& p) { return square(1 - p[0]) + 100 * square(p[1] - square(p[0])); }

Walk walk(const MakeIt& make, int steps) {
  Tensor p = tensor({-1.2, 1.0}, DType::f64).set_requires_grad();
  const OptimizerPtr optimizer = make(p);
  Walk walk;
  for (int t = 0; t <= steps; ++t) {
    const Tensor loss = banana(p);
    walk.path.push_back({p.at({0}), p.at({1})});
    walk.losses.push_back(loss.item());
    if (!std::isfinite(loss.item())) break;  // it flew away
    loss.backward();
    optimizer->step();
    optimizer->zero_grad();
  }
  return walk;
}

std::pair<double, double> curvatures() {
  const Tensor p = tensor({1, 1}, DType::f64).set_requires_grad();
  const Tensor slope = grad({banana(p)}, {p}, {.create_graph = true})[0];
  const Tensor in_x = grad({slope[0]}, {p}, {.retain_graph = true})[0], in_y = grad({slope[1]}, {p})[0];
  const double middle = (in_x.at({0}) + in_y.at({1})) / 2, half = (in_x.at({0}) - in_y.at({1})) / 2;
  const double radius = std::sqrt(half * half + in_x.at({1}) * in_y.at({0}));
  return {middle - radius, middle + radius};
}

}  // namespace gradus::examples
