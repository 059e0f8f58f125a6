// The ways that optimizers take, as JSON: down f = θ₁²/2 + 2 θ₂² with three rates of SGD, and down the banana of chapter 10.
#include <fmt/format.h>

#include <string>

#include "optim/optim.h"

using namespace gradus;

namespace {

Tensor valley(const Tensor& p) { return 0.5 * square(p[0]) + 2 * square(p[1]); }
Tensor banana(const Tensor& p) { return square(1 - p[0]) + 100 * square(p[1] - square(p[0])); }

template <typename Optimizer, typename Options>
std::string path(const std::function<Tensor(const Tensor&)>& f, std::vector<double> start, int steps, Options options) {
  const Tensor p = tensor(start, DType::f64).set_requires_grad();
  Optimizer optimizer({{{{"p", p}}}}, options);
  std::string points;
  for (int t = 0; t <= steps; ++t) {
    points += fmt::format("{}[{:.3f}, {:.3f}]", t == 0 ? "" : ", ", p.at({0}), p.at({1}));
    f(p).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  return "[" + points + "]";
}

}  // namespace

int main() {
  fmt::print("{{\"valley\": {{");
  for (const char* rate : {"0.1", "0.4", "0.55"}) {
    fmt::print("{}\n \"{}\": {}", rate == std::string("0.1") ? "" : ",", rate,
               path<optim::SGD>(valley, {3, 1}, rate == std::string("0.55") ? 4 : 12, optim::SGDOptions{.lr = std::stod(rate)}));
  }
  const std::vector<double> start{-1.2, 1};
  fmt::print("}},\n\"banana\": {{\n \"sgd\": {},\n", path<optim::SGD>(banana, start, 400, optim::SGDOptions{.lr = 1e-3}));
  fmt::print(" \"momentum\": {},\n", path<optim::Momentum>(banana, start, 400, optim::MomentumOptions{.lr = 1e-3}));
  fmt::print(" \"adam\": {}}}}}\n", path<optim::Adam>(banana, start, 400, optim::AdamOptions{.lr = 0.05}));
}
