// act-log-sigmoid and act-softsign: what is left of each slope far out.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid_at(double x) { return 1 / (1 + std::exp(-x)); }

void log_sigmoid() {
  Derivation d("act-log-sigmoid");
  const double ln3 = std::log(3);
  const Numbers x = d.given("x", {-ln3, 0, ln3, 2 * ln3});
  const Numbers g = d.given("g", {4, 2, -4, 10});
  constexpr int64_t n = 4;

  d.step("1", "y", each(n, [&](int64_t i) { return std::log(sigmoid_at(x(i))); }));
  d.step("2", "y", each(n, [&](int64_t i) { return -std::log(1 + std::exp(-x(i))); }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return std::exp(-x(i)) / (1 + std::exp(-x(i))); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return sigmoid_at(-x(i)); }));
  d.step("5", "dL/dx", each(n, [&](int64_t i) { return g(i) * sigmoid_at(-x(i)); }));
  d.gradient("dL/dx", nn::act::log_sigmoid, x, g);

  const Tensor far = tensor(-1000, DType::f64).set_requires_grad(), y = nn::act::log_sigmoid(far);
  d.step("s1", "ln(sigmoid(-1000))", std::log(sigmoid_at(-1000)));
  d.law("s2", "y at -1000", y, -1000);
  d.law("s3", "the tape's slope there", grad({y}, {far})[0], 1);
}

void softsign() {
  Derivation d("act-softsign");
  const Numbers x = d.given("x", {-3, -1, 0.25, 1, 4});
  const Numbers g = d.given("g", {16, 4, 25, 8, 25});
  constexpr int64_t n = 5;

  const Numbers below = each(n, [&](int64_t i) { return 1 + std::abs(x(i)); });
  d.step("1", "n", below);
  const Numbers y = each(n, [&](int64_t i) { return x(i) / below(i); });
  d.step("2", "y", y);
  const auto sign = [](double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; };
  d.step("3", "dn/dx", each(n, [&](int64_t i) { return sign(x(i)); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return (below(i) - x(i) * sign(x(i))) / (below(i) * below(i)); }));
  d.step("5", "dy/dx", each(n, [&](int64_t i) { return 1 / (below(i) * below(i)); }));
  d.step("6", "dy/dx", each(n, [&](int64_t i) { return std::pow(1 - std::abs(y(i)), 2); }));
  d.step("7", "dL/dx", each(n, [&](int64_t i) { return g(i) / (below(i) * below(i)); }));
  d.gradient("dL/dx", nn::act::softsign, x, g);
  d.step("8", "slope of softsign, of tanh at 10", {1.0 / 121, 1 - std::pow(std::tanh(10), 2)});
}

}  // namespace

int main() {
  log_sigmoid();
  softsign();
  return verdict();
}
