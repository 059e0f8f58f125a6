// The losses of differences, line by line: mse, l1, Huber and smooth l1.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 4;

double sign(double a) { return static_cast<double>(a > 0) - static_cast<double>(a < 0); }
double cut(double a, double bound) { return std::clamp(a, -bound, bound); }

// Σ f'(x - y) over the targets 0, 1 and 8.
double pull(double x, double (*slope)(double)) { return slope(x) + slope(x - 1) + slope(x - 8); }

Numbers target(Derivation& d) { return d.given("y", {1, 1, 1, 1}); }
Numbers difference(const Numbers& x, const Numbers& y) {
  return each(n, [&](int64_t i) { return x(i) - y(i); });
}

void mse() {
  Derivation d("loss-mse");
  const Numbers x = d.given("x", {1, 3, 1.5, -2}), y = target(d);
  const Numbers gap = difference(x, y);
  d.step("1", "d", gap);
  d.step("2", "ℓ", each(n, [&](int64_t i) { return gap(i) * gap(i); }));
  d.step("3", "L", sum(n, [&](int64_t i) { return gap(i) * gap(i); }) / n);
  d.step("4", "∂ℓ/∂d", each(n, [&](int64_t i) { return 2 * gap(i); }));
  d.step("5", "dL/dx", each(n, [&](int64_t i) { return 2 * gap(i) / n; }));
  d.step("6", "dL/dy", each(n, [&](int64_t i) { return -2 * gap(i) / n; }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::mse(t, y); }, x, 1);
  d.gradient("dL/dy", [&](const Tensor& t) { return nn::mse(x, t); }, y, 1);
  d.law("7", "pull at the mean", pull(3, [](double a) { return 2 * a; }), 0);
}

void l1() {
  Derivation d("loss-l1");
  const Numbers x = d.given("x", {1, 3, 1.5, -2}), y = target(d);
  const Numbers gap = difference(x, y);
  d.step("1", "ℓ", each(n, [&](int64_t i) { return std::abs(gap(i)); }));
  d.step("2", "∂ℓ/∂d", each(n, [&](int64_t i) { return sign(gap(i)); }));
  d.step("3", "dL/dx", each(n, [&](int64_t i) { return sign(gap(i)) / n; }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::l1(t, y); }, x, 1);
  d.law("4", "pull at the median", pull(1, sign), 0);
}

void huber() {
  Derivation d("loss-huber");
  const Numbers x = d.given("x", {1, 3, 1.5, -2}), y = target(d);
  const double delta = d.given("δ", 1)(0);
  const Numbers gap = difference(x, y);
  d.step("1", "d", gap);
  d.step("2", "ℓ",
         each(n, [&](int64_t i) { return std::abs(gap(i)) <= delta ? gap(i) * gap(i) / 2 : delta * (std::abs(gap(i)) - delta / 2); }));
  const Numbers c = each(n, [&](int64_t i) { return cut(gap(i), delta); });
  d.step("3", "c", c);
  d.step("4", "ℓ", each(n, [&](int64_t i) { return c(i) * (gap(i) - c(i) / 2); }));
  d.step("5", "∂ℓ/∂d", each(n, [&](int64_t i) { return std::abs(gap(i)) <= delta ? gap(i) : delta * sign(gap(i)); }));
  d.step("6", "∂ℓ/∂d", each(n, [&](int64_t i) { return c(i); }));
  d.gradient("∂ℓ/∂d", [&](const Tensor& t) { return nn::huber(t, y, delta, nn::Reduction::none); }, x, {1, 1, 1, 1});
  d.law("7", "both forms at d of ±δ", {delta * delta / 2, delta * delta / 2},
        nn::huber(Numbers{delta, -delta}, Numbers{0, 0}, delta, nn::Reduction::none));
  d.law("8", "pull at 2 with δ of 3", pull(2, [](double a) { return cut(a, 3); }), 0);
}

void smooth_l1() {
  Derivation d("loss-smooth-l1");
  const Numbers x = d.given("x", {1, 3, 1.25, -2}), y = target(d);
  const double beta = d.given("β", 0.5)(0);
  const Numbers gap = difference(x, y);
  d.step("1", "d", gap);
  d.step("2", "ℓ",
         each(n, [&](int64_t i) { return std::abs(gap(i)) < beta ? gap(i) * gap(i) / (2 * beta) : std::abs(gap(i)) - beta / 2; }));
  const Numbers c = each(n, [&](int64_t i) { return cut(gap(i), beta); });
  d.step("3", "ℓ", each(n, [&](int64_t i) { return c(i) * (gap(i) - c(i) / 2) / beta; }));
  d.step("4", "∂ℓ/∂d", each(n, [&](int64_t i) { return c(i) / beta; }));
  d.gradient("∂ℓ/∂d", [&](const Tensor& t) { return nn::smooth_l1(t, y, beta, nn::Reduction::none); }, x, {1, 1, 1, 1});
  d.law("5", "ℓ for β of 0", each(n, [&](int64_t i) { return std::abs(gap(i)); }), nn::smooth_l1(x, y, 0, nn::Reduction::none));
}

}  // namespace

int main() {
  mse();
  l1();
  huber();
  smooth_l1();
  return verdict();
}
