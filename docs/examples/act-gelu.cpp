// act-gelu and act-gelu-tanh: value and gradient line by line, and how far apart the two are.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

const double kRootTwoOverPi = std::sqrt(2 / std::acos(-1.0));  // √(2/π)
constexpr double kCubic = 0.044715;

double bell(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)); }  // φ(x)
double below(double x) { return (1 + std::erf(x / std::sqrt(2))) / 2; }                  // Φ(x)
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

void gelu() {
  Derivation d("act-gelu");
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});

  d.step("h1", "x/√2", each(5, [&](int64_t i) { return x(i) / std::sqrt(2); }));
  d.step("h2", "erf(x/√2)", each(5, [&](int64_t i) { return std::erf(x(i) / std::sqrt(2)); }));
  d.step("h3", "Φ(x)", each(5, [&](int64_t i) { return 0.5 * (1 + std::erf(x(i) / std::sqrt(2))); }));
  d.step("h4", "y", each(5, [&](int64_t i) { return x(i) * below(x(i)); }));

  // Φ(x) = ½ + ∫ φ from 0 to x, by Simpson's rule.
  d.step("1", "Φ(x)", each(5, [&](int64_t i) {
    constexpr int64_t n = 2'000;
    const double h = x(i) / n;
    return 0.5 + h / 3 * sum(n + 1, [&](int64_t k) {
      return (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * bell(h * static_cast<double>(k));
    });
  }));
  d.step("2", "Φ(x)", each(5, [&](int64_t i) { return 0.5 * (1 + std::erf(x(i) / std::sqrt(2))); }));
  const double two_over_root_pi = 2 / std::sqrt(std::acos(-1.0));
  d.step("3", "d erf(z)/dz", each(5, [&](int64_t i) {
    const double z = x(i) / std::sqrt(2);
    return two_over_root_pi * std::exp(-z * z);
  }));
  d.step("4", "dΦ/dx", each(5, [&](int64_t i) { return 0.5 * (two_over_root_pi * std::exp(-x(i) * x(i) / 2)) * (1 / std::sqrt(2)); }));
  d.step("5", "dΦ/dx", each(5, [&](int64_t i) { return bell(x(i)); }));
  const auto slope = [&](int64_t i) { return below(x(i)) + x(i) * bell(x(i)); };
  d.step("6", "dy/dx", each(5, slope));
  d.step("7", "dL/dx", each(5, [&](int64_t j) { return sum(5, [&](int64_t i) { return g(i) * delta(i, j) * slope(i); }); }));
  d.step("8", "dL/dx", each(5, [&](int64_t j) { return g(j) * slope(j); }));

  d.law("9", "GELU(x) - GELU(-x)", each(5, [&](int64_t i) { return x(i) * below(x(i)) + x(i) * below(-x(i)); }), x);
  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor tape = grad({sum(nn::act::gelu(leaf))}, {leaf}, {.create_graph = true})[0];
  d.law("10", "d²y/dx²", each(5, [&](int64_t i) { return (2 - x(i) * x(i)) * bell(x(i)); }), grad({sum(tape)}, {leaf})[0]);
  d.step("11", "dy/dx at √2", below(std::sqrt(2)) + std::sqrt(2) * bell(std::sqrt(2)));
  double lowest = -0.75;  // Newton's steps for Φ + xφ = 0
  for (int i = 0; i < 9; ++i) {
    lowest -= (below(lowest) + lowest * bell(lowest)) / ((2 - lowest * lowest) * bell(lowest));
  }
  d.step("12", "x of the minimum", lowest);
  d.step("13", "y there", lowest * below(lowest));

  d.gradient("dL/dx", nn::act::gelu, x, g);

  // Φ(x) in 32 bits, at -2, -3, -4, -5: P(t) t e^(-x²/2) with t = 1/(1 + p|x|).
  const auto error = [](double p, const Numbers& a) {  // relative to Φ; the a from the constant on
    return each(4, [&](int64_t i) {
      const double far = static_cast<double>(i + 2), t = 1 / (1 + p * far);
      const double polynomial = sum(a.shape()[0], [&](int64_t k) { return a(k) * std::pow(t, static_cast<double>(k)); });
      return std::abs(polynomial * t * std::exp(-far * far / 2) * 2 / std::erfc(far / std::sqrt(2)) - 1);
    });
  };
  const Numbers stegun{0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429};  // of erf
  d.step("f1", "relative error of 7.1.26", error(0.3275911 / std::sqrt(2), each(5, [&](int64_t k) { return stegun(k) / 2; })));
  d.step("f2", "relative error of the polynomial here",
         error(0.2326, {0.0929008185, 0.0908859695, 0.102251653, 0.0168901941, 0.21761911, -0.191373509, 0.24031058, -0.0694848165}));
  const double at = -6, right = at * std::erfc(-at / std::sqrt(2)) / 2;
  d.step("f3", "x ½(1 + erf(x/√2)) at -6, in 32 bits, over GELU(-6)",
         static_cast<float>(at) * 0.5f * (1 + std::erf(static_cast<float>(at / std::sqrt(2)))) / right);
  d.step("f4", "the fast path at -6, in 32 bits, over GELU(-6)", nn::act::gelu(tensor(at)).item() / right);
}

void gelu_tanh() {
  Derivation d("act-gelu-tanh");
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});

  const Numbers u = each(5, [&](int64_t i) { return kRootTwoOverPi * (x(i) + kCubic * x(i) * x(i) * x(i)); });
  d.step("h1", "u", u);
  d.step("h2", "tanh u", each(5, [&](int64_t i) { return std::tanh(u(i)); }));
  d.step("h3", "y", each(5, [&](int64_t i) { return 0.5 * x(i) * (1 + std::tanh(u(i))); }));

  d.step("1", "y", each(5, [&](int64_t i) { return 0.5 * x(i) * (1 + std::tanh(u(i))); }));
  d.step("2", "du/dx", each(5, [&](int64_t i) { return kRootTwoOverPi * (1 + 3 * kCubic * x(i) * x(i)); }));
  const auto du = [&](int64_t i) { return kRootTwoOverPi * (1 + 3 * kCubic * x(i) * x(i)); };
  const auto dtanh = [&](int64_t i) { return 1 - std::tanh(u(i)) * std::tanh(u(i)); };
  d.step("3", "d tanh u/du", each(5, dtanh));
  d.step("4", "dy/dx", each(5, [&](int64_t i) { return 0.5 * (1 + std::tanh(u(i))) + 0.5 * x(i) * dtanh(i) * du(i); }));
  const auto s = [&](int64_t i) { return sigmoid_of(2 * u(i)); };
  d.step("5", "½(1 + tanh u)", each(5, [&](int64_t i) { return (1 + std::tanh(u(i))) / 2; }));
  d.step("6", "½(1 + tanh u)", each(5, s));
  d.step("7", "d tanh u/du", each(5, [&](int64_t i) { return 4 * s(i) * (1 - s(i)); }));
  const auto slope = [&](int64_t i) { return s(i) + 2 * x(i) * s(i) * (1 - s(i)) * du(i); };
  d.step("8", "dy/dx", each(5, slope));
  d.step("9", "dL/dx", each(5, [&](int64_t j) { return g(j) * slope(j); }));

  // Where 0.044715 comes from: c that matches the curves at 0 to the third order, and the c that is used.
  const double matched = 2 / (3 * std::acos(-1.0)) - 1.0 / 6;
  d.step("c1", "c of the same third derivative at 0", matched);
  const auto apart = [](const std::function<double(double)>& difference) {
    double most = 0, where = 0;
    for (int64_t i = 0; i <= 600'000; ++i) {
      const double t = static_cast<double>(i) / 100'000, now = std::abs(difference(t));
      if (now > most) most = now, where = t;
    }
    return Numbers{most, where};
  };
  const auto value = [](double t, double c) { return t * sigmoid_of(2 * kRootTwoOverPi * (t + c * t * t * t)); };
  d.step("c2", "with it, greatest |y - GELU(x)|, and its x", apart([&](double t) { return value(t, matched) - t * below(t); }));
  d.step("c3", "with 0.044715", apart([&](double t) { return value(t, kCubic) - t * below(t); }));
  d.step("c4", "the same of the slopes", apart([&](double t) {
    const double p = sigmoid_of(2 * kRootTwoOverPi * (t + kCubic * t * t * t));
    return p + 2 * t * p * (1 - p) * kRootTwoOverPi * (1 + 3 * kCubic * t * t) - below(t) - t * bell(t);
  }));

  d.gradient("dL/dx", nn::act::gelu_tanh, x, g);
}

}  // namespace

int main() {
  gelu();
  gelu_tanh();
  return verdict();
}
