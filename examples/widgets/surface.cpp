#include "examples/widgets/surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"

namespace gradus::widgets {
namespace {

Tensor floor_of_banana(const Tensor& x) { return square(1 - x); }
Tensor valley_of_banana(const Tensor& x) { return square(x); }
Tensor floor_of_bowl(const Tensor& x) { return 0.5 * square(1 - x); }
Tensor floor_of_saddle(const Tensor& x) { return 0.25 * square(1 - square(x)); }  // minima at ±1, between them the saddle at 0

double at(Tensor (*f)(const Tensor&), double x) { return f(tensor(x, DType::f64)).item(); }

// Where the floor passes `level`, between x = a and x = b on its two sides.
double crossing(const Surface& f, double level, double a, double b) {
  const bool rises = at(f.floor, b) > level;
  for (int halving = 0; halving < 48; ++halving) {
    const double middle = (a + b) / 2;
    ((at(f.floor, middle) > level) == rises ? b : a) = middle;
  }
  return (a + b) / 2;
}

// From where to where, from left to right, the floor is below `level`, with a margin beyond the frame.
std::vector<Point> stretches(const Surface& f, double level) {
  constexpr int count = 64;
  const double left = f.frame.left - 0.1, step = (f.frame.right + 0.1 - left) / count;
  const Tensor floor = f.floor(left + step * arange(0, count + 1, 1, DType::f64));
  std::vector<Point> all;
  bool inside = false;
  for (int i = 0; i <= count; ++i) {
    const bool below = floor.at({i}) < level;
    const double x = left + step * i;
    if (below && !inside) all.emplace_back(i == 0 ? x : crossing(f, level, x - step, x), x);
    if (!below && inside) all.back().second = crossing(f, level, x - step, x);
    if (below && i == count) all.back().second = x;
    inside = below;
  }
  return all;
}

Seen line(const Surface& f, double level, Point stretch) {
  constexpr int count = 32;
  const auto [from, to] = stretch;
  const Tensor turn = std::numbers::pi / count * arange(0, count + 1, 1, DType::f64);
  const Tensor x = (from + to) / 2 - (to - from) / 2 * cos(turn);  // closer together where the line turns back
  const Tensor half = sqrt(maximum(level - f.floor(x), 0) / f.steepness);
  const Tensor middle = f.valley != nullptr ? f.valley(x) : zeros_like(x);
  return Seen().add("f", level).add("x", x).add("upper", middle + half).add("lower", middle - half);
}

}  // namespace

Tensor Surface::operator()(const Tensor& x, const Tensor& y) const {
  return floor(x) + steepness * square(valley != nullptr ? y - valley(x) : y);
}

double Surface::across(Point p) const { return p.second - (valley != nullptr ? at(valley, p.first) : 0); }

std::vector<std::string> surface_names() { return {"bowl", "noisy bowl", "banana", "saddle"}; }

Surface surface(const std::string& name, double kappa) {
  if (name == "banana") {
    return {name, floor_of_banana, valley_of_banana, 100, {-1.2, 1}, {1, 1}, {-1.7, 1.7, -0.6, 2}, {0.5, 2, 8, 30, 100, 300}};
  }
  if (name == "saddle") {
    return {name, floor_of_saddle, nullptr, kappa / 2, {0.001, 0.8}, {1, 0}, {-1.7, 1.7, -1.3, 1.3}, {0.05, 0.15, 0.25, 0.6, 2, 6, 16}};
  }
  return {name,
          floor_of_bowl,
          nullptr,
          kappa / 2,
          {-1.2, 0.8},
          {1, 0},
          {-1.6, 2.5, -1.57, 1.57},
          {0.05, 0.3, 1, 3, 8, 20},
          name == "bowl" ? 0.0 : 1.5};
}

std::pair<double, double> curvatures(const Surface& f, Point p) {
  const Tensor at = tensor({p.first, p.second}, DType::f64).set_requires_grad();
  const Tensor slope = grad({f(at[0], at[1])}, {at}, {.create_graph = true})[0];
  const Tensor in_x = grad({slope[0]}, {at}, {.retain_graph = true})[0], in_y = grad({slope[1]}, {at})[0];
  const double middle = (in_x.at({0}) + in_y.at({1})) / 2, half = (in_x.at({0}) - in_y.at({1})) / 2;
  const double radius = std::sqrt(half * half + in_x.at({1}) * in_y.at({0}));
  return {middle - radius, middle + radius};
}

std::vector<Seen> level_lines(const Surface& f) {
  std::vector<Seen> all;
  for (const double level : f.levels) {
    for (const Point& stretch : stretches(f, level)) all.push_back(line(f, level, stretch));
  }
  return all;
}

}  // namespace gradus::widgets
