// act-relu and its kin (act-leaky-relu, act-prelu, act-relu2): each branch, the kink, and what a learned slope gets.
#include <cmath>

#include "docs/examples/derivation.h"
#include "docs/examples/normal.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// The slope of f at x that the tape gives.
double by_tape(const std::function<Tensor(const Tensor&)>& f, double x) {
  const Tensor leaf = tensor(x, DType::f64).set_requires_grad();
  return grad({f(leaf)}, {leaf})[0].item();
}

void relu(Derivation& d) {
  const Numbers x = d.given("x", {-2, -0.5, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5});
  constexpr int64_t n = 4;

  const auto f = [](double v) { return v > 0 ? v : 0; };
  const auto above = [](double v) { return v > 0 ? 1.0 : 0.0; };
  d.step("h1", "[x > 0]", each(n, [&](int64_t i) { return above(x(i)); }));
  d.step("h2", "y", each(n, [&](int64_t i) { return std::max(0.0, x(i)); }));
  d.step("h3", "y", each(n, [&](int64_t i) { return x(i) * above(x(i)); }));
  d.law("h4", "max(0, 0)", f(0), 0);

  constexpr double h = 0.25;
  d.step("1", "dy/dx", each(n, [&](int64_t i) { return (f(x(i) + h) - f(x(i))) / h; }));
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return above(x(i)); }));
  const auto jacobian = [&](int64_t i, int64_t j) { return delta(i, j) * above(x(j)); };
  d.step("3", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * jacobian(i, j); }); }));
  const Numbers dx = each(n, [&](int64_t j) { return g(j) * above(x(j)); });
  d.step("4", "dL/dx", dx);
  d.law("5", "Σ x ⊙ dL/dx", sum(n, [&](int64_t j) { return x(j) * dx(j); }), sum(n, [&](int64_t i) { return g(i) * f(x(i)); }));
  d.gradient("dL/dx", [](const Tensor& t) { return gradus::relu(t); }, x, g);

  // The kink.
  d.law("k1", "(f(0) - f(-h)) / h", (f(0) - f(-h)) / h, 0);
  d.law("k2", "(f(h) - f(0)) / h", (f(h) - f(0)) / h, 1);
  d.law("k3", "(f(h) - f(-h)) / 2h", (f(h) - f(-h)) / (2 * h), 0.5);
  d.law("k4", "the tape's slope at 0", by_tape(gradus::relu, 0), 0);
  const Numbers s = {0, 0.25, 0.5, 0.75, 1};  // lines s x under max(0, x), above by at least
  d.law("k5", "least max(0, x) - s x",
        each(5,
             [&](int64_t k) {
    double least = 0;
    for (int64_t i = 0; i < n; ++i) least = std::min(least, f(x(i)) - s(k) * x(i));
    return least;
  }),
        {0, 0, 0, 0, 0});
  d.step("k6", "max(0, x) - 1.5 x", each(n, [&](int64_t i) { return f(x(i)) - 1.5 * x(i); }));
  d.law("k7", "the slope of maximum(x, 0) at 0", by_tape([](const Tensor& t) { return maximum(t, zeros_like(t)); }, 0), 0.5);
}

// Two units of one input u, on three samples: unit 0 is negative on the first sample, unit 1 on all three.
void two_units(Derivation& d) {
  const Numbers u = d.given("u", {-1, 1, 2});
  const Numbers w = d.given("w", {1, 1}), b = d.given("b", {0, -9}), v = d.given("v", {1, 1});

  const Numbers z = each(3, 2, [&](int64_t s, int64_t j) { return w(j) * u(s) + b(j); });
  d.step("d1", "z", z);
  const Numbers y = each(3, 2, [&](int64_t s, int64_t j) { return std::max(0.0, z(s, j)); });
  d.step("d2", "y of z", y);
  const Numbers dz = each(3, 2, [&](int64_t s, int64_t j) { return v(j) * (z(s, j) > 0 ? 1 : 0); });
  d.step("d3", "dL/dz", dz);
  d.step("d4", "dL/dw", each(2, [&](int64_t j) { return sum(3, [&](int64_t s) { return dz(s, j) * u(s); }); }));
  d.step("d5", "dL/db", each(2, [&](int64_t j) { return sum(3, [&](int64_t s) { return dz(s, j); }); }));
  d.step("d6", "dL/dv", each(2, [&](int64_t j) { return sum(3, [&](int64_t s) { return y(s, j); }); }));

  const Tensor inputs = reshape(u.tensor(), {3, 1});
  const auto output = [&](const Tensor& weight, const Tensor& bias, const Tensor& next) {
    return sum(gradus::relu(inputs * weight + bias) * next, {1});  // [3]
  };
  const Numbers ones = {1, 1, 1};
  d.gradient("dL/dw", [&](const Tensor& t) { return output(t, b, v); }, w, ones);
  d.gradient("dL/db", [&](const Tensor& t) { return output(w, t, v); }, b, ones);
  d.gradient("dL/dv", [&](const Tensor& t) { return output(w, b, t); }, v, ones);
}

void leaky_relu() {
  Derivation d("act-leaky-relu");
  const Numbers x = d.given("x", {-2, -0.5, 1, 3});
  const double slope = 0.1;
  d.given("α", slope);
  const Numbers g = d.given("g", {1, 2, -1, 0.5});
  constexpr int64_t n = 4;

  d.step("h1", "αx", each(n, [&](int64_t i) { return slope * x(i); }));
  d.step("h2", "y", each(n, [&](int64_t i) { return x(i) > 0 ? x(i) : slope * x(i); }));
  const double even = (1 - slope) / 2, odd = (1 + slope) / 2;
  d.step("h3", "y", each(n, [&](int64_t i) { return odd * x(i) + even * std::abs(x(i)); }));

  d.step("1", "y", each(n, [&](int64_t i) { return x(i) > 0 ? x(i) : slope * x(i); }));
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return x(i) > 0 ? 1 : slope; }));
  d.step("3", "dL/dx", each(n, [&](int64_t i) { return g(i) * (x(i) > 0 ? 1 : slope); }));
  d.gradient("dL/dx", nn::act::leaky_relu(slope), x, g);
  d.step("4", "y", each(n, [&](int64_t i) { return std::max(slope * x(i), x(i)); }));
  d.step("5", "y with α of 2", each(n, [&](int64_t i) { return x(i) > 0 ? x(i) : 2 * x(i); }));
  d.step("6", "max(αx, x) with α of 2", each(n, [&](int64_t i) { return std::max(2 * x(i), x(i)); }));
  d.law("k1", "the tape's slope at 0", by_tape(nn::act::leaky_relu(slope), 0), slope);

  // How near to a straight line, for normal inputs z.
  const Numbers slopes = d.given("α", {0, 0.01, 0.25, 0.5, 0.9});
  const auto of_each = [&](const std::function<double(double)>& f) { return each(5, [&](int64_t i) { return f(slopes(i)); }); };
  const auto leaky = [](double a, double z) { return z > 0 ? z : a * z; };
  const double spread_of_size = 1 - 2 / std::acos(-1.0);
  d.law("b1", "variance of |z|", spread_of_size,
        mean_of([](double z) { return z * z; }) - std::pow(mean_of([](double z) { return std::abs(z); }), 2));
  const auto line = [](double a) { return (1 + a) / 2; };
  d.law("b2", "slope of the best line", of_each(line),
        of_each([&](double a) { return mean_of([&](double z) { return z * leaky(a, z); }); }));
  const auto left = [&](double a) { return std::pow((1 - a) / 2, 2) * spread_of_size; };
  d.law("b3", "variance that it leaves", of_each(left), of_each([&](double a) {
    const double m = mean_of([&](double z) { return leaky(a, z); });
    return mean_of([&](double z) { return std::pow(leaky(a, z) - line(a) * z - m, 2); });
  }));
  d.law("b4", "share of the variance", of_each([&](double a) { return left(a) / (line(a) * line(a) + left(a)); }), of_each([&](double a) {
    const double m = mean_of([&](double z) { return leaky(a, z); });
    return left(a) / mean_of([&](double z) { return std::pow(leaky(a, z) - m, 2); });
  }));
}

void prelu() {
  Derivation d("act-prelu");
  const Numbers x = d.given("x", {{-2, 1}, {3, -4}, {-1, 2}});
  const Numbers slope = d.given("α", {0.25, 0.5});
  const Numbers g = d.given("g", {{1, 2}, {-1, 0.5}, {3, -2}});
  constexpr int64_t rows = 3, channels = 2;

  d.step("1", "y", each(rows, channels, [&](int64_t s, int64_t c) { return x(s, c) > 0 ? x(s, c) : slope(c) * x(s, c); }));
  d.step("2", "dL/dx", each(rows, channels, [&](int64_t s, int64_t c) { return g(s, c) * (x(s, c) > 0 ? 1 : slope(c)); }));
  const auto below = [&](int64_t s, int64_t c) { return x(s, c) > 0 ? 0 : x(s, c); };
  d.step("3", "dy/dα", each(rows, channels, below));
  d.step("4", "dL/dα", each(channels, [&](int64_t k) {
    return sum(rows, [&](int64_t s) { return sum(channels, [&](int64_t c) { return g(s, c) * delta(c, k) * below(s, c); }); });
  }));
  d.step("5", "dL/dα", each(channels, [&](int64_t c) { return sum(rows, [&](int64_t s) { return g(s, c) * std::min(0.0, x(s, c)); }); }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::prelu(t, slope); }, x, g);
  d.gradient("dL/dα", [&](const Tensor& t) { return nn::prelu(x, t); }, slope, g);

  // One slope for both channels.
  d.step("6", "one α: dL/dα",
         sum(channels, [&](int64_t c) { return sum(rows, [&](int64_t s) { return g(s, c) * std::min(0.0, x(s, c)); }); }));
  d.gradient("one α: dL/dα", [&](const Tensor& t) { return nn::prelu(x, t); }, 0.25, g);
  d.law("k1", "the tape's slope at 0", by_tape([](const Tensor& t) { return nn::prelu(t, tensor(0.25, DType::f64)); }, 0), 0.25);
  const Tensor one = tensor(0.25, DType::f64).set_requires_grad();  // at x = ∞ α still gets 0, not 0·∞
  d.law("k2", "dL/dα at ∞", grad({nn::prelu(tensor(INFINITY, DType::f64), one)}, {one})[0], 0);
}

void relu2() {
  Derivation d("act-relu2");
  const Numbers x = d.given("x", {-2, -0.5, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5});
  constexpr int64_t n = 4;

  const Numbers u = each(n, [&](int64_t i) { return std::max(0.0, x(i)); });
  d.step("1", "u", u);
  d.step("2", "y", each(n, [&](int64_t i) { return u(i) * u(i); }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return 2 * u(i) * (x(i) > 0 ? 1 : 0); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return 2 * u(i); }));
  d.step("5", "dL/dx", each(n, [&](int64_t i) { return g(i) * 2 * u(i); }));
  d.gradient("dL/dx", nn::act::relu2, x, g);
  d.law("k1", "the tape's slope at 0", by_tape(nn::act::relu2, 0), 0);
  d.step("6", "d²y/dx²", each(n, [&](int64_t i) { return x(i) > 0 ? 2 : 0; }));
  d.gradient("d²y/dx²", [](const Tensor& t) { return 2 * gradus::relu(t); }, x, {1, 1, 1, 1});
}

}  // namespace

int main() {
  Derivation d("act-relu");
  relu(d);
  two_units(d);
  leaky_relu();
  prelu();
  relu2();
  return verdict();
}
