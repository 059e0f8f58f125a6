// act-relu6, act-hardsigmoid and act-hardswish: each piece, and what the tape gives at each kink.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// The slopes of f at these points that the tape gives.
Numbers by_tape(const std::function<Tensor(const Tensor&)>& f, const Numbers& x) {
  const Tensor leaf = x.tensor().set_requires_grad();
  return grad({sum(f(leaf))}, {leaf})[0];
}

double relu6_at(double x) { return std::min(std::max(0.0, x), 6.0); }

void relu6() {
  Derivation d("act-relu6");
  const Numbers x = d.given("x", {-1, 2, 5, 7});
  const Numbers g = d.given("g", {1, 2, -1, 3});
  constexpr int64_t n = 4;

  d.step("1", "y", each(n, [&](int64_t i) { return relu6_at(x(i)); }));
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return 0 < x(i) && x(i) < 6 ? 1 : 0; }));
  d.step("3", "dL/dx", each(n, [&](int64_t i) { return 0 < x(i) && x(i) < 6 ? g(i) : 0; }));
  d.gradient("dL/dx", nn::act::relu6, x, g);
  d.law("k1", "the tape's slopes at 0 and 6", by_tape(nn::act::relu6, {0, 6}), {0, 0});
}

void hardsigmoid() {
  Derivation d("act-hardsigmoid");
  const Numbers x = d.given("x", {-4, -1.5, 0, 1.5, 4});
  const Numbers g = d.given("g", {1, 6, 3, -6, 2});
  constexpr int64_t n = 5;

  d.step("1", "u", each(n, [&](int64_t i) { return relu6_at(x(i) + 3); }));
  d.step("2", "y", each(n, [&](int64_t i) { return relu6_at(x(i) + 3) / 6; }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return (-3 < x(i) && x(i) < 3 ? 1 : 0) / 6.0; }));
  d.step("4", "dL/dx", each(n, [&](int64_t i) { return g(i) * (-3 < x(i) && x(i) < 3 ? 1 : 0) / 6; }));
  d.gradient("dL/dx", nn::act::hardsigmoid, x, g);
  d.law("k1", "the tape's slopes at -3 and 3", by_tape(nn::act::hardsigmoid, {-3, 3}), {0, 0});

  double apart = 0, at = 0;  // from sigmoid
  for (int64_t i = 0; i <= 600000; ++i) {
    const double v = static_cast<double>(i) / 1e5, gap = std::abs(relu6_at(v + 3) / 6 - 1 / (1 + std::exp(-v)));
    if (gap > apart) apart = gap, at = v;
  }
  d.step("a1", "greatest |y - sigmoid(x)|", apart);
  d.step("a2", "its |x|", at);
}

void hardswish() {
  Derivation d("act-hardswish");
  const Numbers x = d.given("x", {-4, -1.5, 0, 1.5, 4});
  const Numbers g = d.given("g", {1, 2, 4, -1, 3});
  constexpr int64_t n = 5;

  const Numbers h = each(n, [&](int64_t i) { return relu6_at(x(i) + 3) / 6; });
  d.step("1", "h", h);
  d.step("2", "y", each(n, [&](int64_t i) { return x(i) * h(i); }));
  const auto dh = [&](int64_t i) { return (-3 < x(i) && x(i) < 3 ? 1 : 0) / 6.0; };
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return h(i) + x(i) * dh(i); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return x(i) <= -3 ? 0 : x(i) >= 3 ? 1 : (2 * x(i) + 3) / 6; }));
  d.step("5", "dL/dx", each(n, [&](int64_t i) { return g(i) * (h(i) + x(i) * dh(i)); }));
  d.gradient("dL/dx", nn::act::hardswish, x, g);
  d.step("k1", "slopes at -3, from the left and from the right", {0, (2 * -3.0 + 3) / 6});
  d.step("k2", "slopes at 3, from the left and from the right", {(2 * 3.0 + 3) / 6, 1});
  d.law("k3", "the tape's slopes at -3 and 3", by_tape(nn::act::hardswish, {-3, 3}), {0, 1});

  double apart = 0, at = 0;  // from SiLU
  for (int64_t i = 0; i <= 600000; ++i) {
    const double v = static_cast<double>(i) / 1e5, gap = std::abs(v * relu6_at(v + 3) / 6 - v / (1 + std::exp(-v)));
    if (gap > apart) apart = gap, at = v;
  }
  d.step("a1", "greatest |y - SiLU(x)|", apart);
  d.step("a2", "its |x|", at);
}

}  // namespace

int main() {
  relu6();
  hardsigmoid();
  hardswish();
  return verdict();
}
