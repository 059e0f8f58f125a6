#include "examples/ch10_optimisation/banana.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

Tensor banana(const Tensor& p) { return square(1 - p[0]) + 100 * square(p[1] - square(p[0])); }

Walk walk(const MakeIt& make, int steps) {
  Tensor p = tensor({-1.2, 1.0}, DType::f64).set_requires_grad();
  const OptimizerPtr optimizer = make(p);
  Walk walk;
  for (int t = 0; t <= steps; ++t) {
    const Tensor loss = banana(p);
    walk.path.emplace_back(p.at({0}), p.at({1}));
    walk.losses.push_back(loss.item());
    if (!std::isfinite(loss.item())) break;  // it flew away
    loss.backward();
    optimizer->step();
    optimizer->zero_grad();
  }
  return walk;
}

namespace {

// Where f = level: y = x² ± √((level - (1 - x)²) / 100).
std::vector<Path> levels_of_banana() {
  std::vector<Path> levels;
  for (const double level : {0.5, 2.0, 8.0, 30.0, 100.0, 300.0}) {
    Path upper, lower;
    const double from = std::max(-2.0, 1 - std::sqrt(level)), to = std::min(2.0, 1 + std::sqrt(level));  // a little beyond the frame
    for (int i = 0; i <= 48; ++i) {
      const double x = (from + to) / 2 - (to - from) / 2 * std::cos(std::numbers::pi * i / 48);
      const double width = std::sqrt(std::max(0.0, level - (1 - x) * (1 - x)) / 100);
      upper.emplace_back(x, x * x + width);
      lower.emplace_back(x, x * x - width);
    }
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    levels.push_back(upper);
  }
  return levels;
}

}  // namespace

Panel panel_of(const std::string& title, const Walk& walk, const std::string& colour) {
  const auto& [x, y] = walk.path.back();
  return {title, fmt::format("f = {} at ({}, {})", shown(walk.losses.back()), shown(x), shown(y)),
          draw(Landscape{.x_from = -1.7,
                         .x_to = 1.7,
                         .y_from = -0.6,
                         .y_to = 2,
                         .levels = levels_of_banana(),
                         .path = walk.path,
                         .goal = {1, 1},
                         .colour = colour})};
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
