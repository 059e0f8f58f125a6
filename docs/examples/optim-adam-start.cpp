// How long Adam's steps are against a gradient that stays 1, by the library and by three wrong corrections, as JSON.
#include <fmt/format.h>

#include <cmath>

#include "optim/adam.h"

using namespace gradus;

int main() {
  const Tensor theta = zeros({1}, DType::f64).set_requires_grad();
  theta.set_grad(ones({1}, DType::f64));
  optim::Adam adam({{{{"theta", theta}}}}, {.lr = 1});
  double due = 1;
  fmt::print("[");
  for (int t = 1; t <= 10000; ++t) {
    const double before = theta.item();
    adam.step();
    if (t < due) continue;
    const double m = 1 - std::pow(0.9, t), v = 1 - std::pow(0.999, t);
    fmt::print("{}\n {{\"t\": {}, \"right\": {:.3g}, \"none\": {:.3g}, \"without t\": {:.3g}, \"multiplied\": {:.3g}}}", t == 1 ? "" : ",",
               t, before - theta.item(), m / std::sqrt(v), m / 0.1 / std::sqrt(v / 0.001), m * m / v);
    due = std::max(t + 1.0, t * 1.12);
  }
  fmt::print("\n]\n");
}
