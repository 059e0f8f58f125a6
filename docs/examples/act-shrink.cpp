// act-hardtanh, act-softshrink and act-hardshrink: what is cut off, what is left, and the slopes at the kinks.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

Numbers by_tape(const nn::Activation& f, const Numbers& points) {
  const Tensor x = points.tensor().set_requires_grad();
  return grad({sum(f(x))}, {x})[0];
}

double between(double x, double limit) { return std::min(std::max(x, -limit), limit); }

void hardtanh() {
  Derivation d("act-hardtanh");
  const Numbers x = d.given("x", {-3, -0.5, 0.25, 2});
  const double limit = 1;
  d.given("L", limit);
  const Numbers g = d.given("g", {1, 2, -1, 3});
  constexpr int64_t n = 4;

  d.step("1", "y", each(n, [&](int64_t i) { return between(x(i), limit); }));
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return std::abs(x(i)) < limit ? 1 : 0; }));
  d.step("3", "dL/dx", each(n, [&](int64_t i) { return std::abs(x(i)) < limit ? g(i) : 0; }));
  d.gradient("dL/dx", nn::act::hardtanh(limit), x, g);
  d.step("4", "y", each(n, [&](int64_t i) { return 2 * std::min(std::max(3 * x(i) + 3, 0.0), 6.0) / 6 - 1; }));
  d.law("k1", "the tape's slopes at -1 and 1", by_tape(nn::act::hardtanh(), {-1, 1}), {0, 0});
}

void softshrink() {
  Derivation d("act-softshrink");
  const Numbers x = d.given("x", {-2, -0.25, 0.25, 3});
  const double threshold = 0.5;
  d.given("λ", threshold);
  const Numbers g = d.given("g", {1, 2, -1, 3});
  constexpr int64_t n = 4;

  const Numbers y = each(n, [&](int64_t i) { return std::abs(x(i)) <= threshold ? 0 : x(i) - (x(i) > 0 ? threshold : -threshold); });
  d.step("1", "y", y);
  d.step("2", "y", each(n, [&](int64_t i) { return x(i) - between(x(i), threshold); }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return 1 - (std::abs(x(i)) < threshold ? 1 : 0); }));
  d.step("4", "dL/dx", each(n, [&](int64_t i) { return std::abs(x(i)) > threshold ? g(i) : 0; }));
  d.gradient("dL/dx", nn::act::softshrink(threshold), x, g);
  // The cost of y is (y - x)²/2 + λ|y|; its slope from the left and from the right is y - x ∓ λ at y = 0.
  const auto slope = [&](int64_t i, double side) { return y(i) - x(i) + threshold * (y(i) > 0 ? 1 : y(i) < 0 ? -1 : side); };
  d.step("5", "slope of the cost, to the left", each(n, [&](int64_t i) { return slope(i, -1); }));
  d.step("6", "slope of the cost, to the right", each(n, [&](int64_t i) { return slope(i, 1); }));
  d.law("k1", "the tape's slopes at -λ and λ", by_tape(nn::act::softshrink(threshold), {-0.5, 0.5}), {0, 0});
}

void hardshrink() {
  Derivation d("act-hardshrink");
  const Numbers x = d.given("x", {-2, -0.25, 0.25, 3});
  const double threshold = 0.5;
  d.given("λ", threshold);
  const Numbers g = d.given("g", {1, 2, -1, 3});
  constexpr int64_t n = 4;

  const Numbers y = each(n, [&](int64_t i) { return std::abs(x(i)) > threshold ? x(i) : 0; });
  d.step("1", "y", y);
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return std::abs(x(i)) > threshold ? 1 : 0; }));
  d.step("3", "dL/dx", each(n, [&](int64_t i) { return std::abs(x(i)) > threshold ? g(i) : 0; }));
  d.gradient("dL/dx", nn::act::hardshrink(threshold), x, g);
  d.step("4", "cost of x", each(n, [&](int64_t) { return threshold * threshold / 2; }));
  d.step("5", "cost of 0", each(n, [&](int64_t i) { return x(i) * x(i) / 2; }));
  d.law("k1", "y at λ, and just above", nn::act::hardshrink(threshold)(tensor({0.5, 0.5000001}, DType::f64)), {0, 0.5000001});
  d.law("k2", "the tape's slopes at -λ and λ", by_tape(nn::act::hardshrink(threshold), {-0.5, 0.5}), {0, 0});
}

}  // namespace

int main() {
  hardtanh();
  softshrink();
  hardshrink();
  return verdict();
}
