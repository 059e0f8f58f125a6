// act-swish, act-silu, act-quick-gelu, act-mish: value and gradient line by line; where Swish's minimum lies.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double below(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }  // Φ(x)

// The tape's dy/dx, and its derivative, at every x.
Numbers slope_of(const nn::Activation& f, const Numbers& x) {
  const Tensor leaf = x.tensor().set_requires_grad();
  return grad({sum(f(leaf))}, {leaf})[0];
}
Numbers bend_of(const nn::Activation& f, const Numbers& x) {
  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor slope = grad({sum(f(leaf))}, {leaf}, {.create_graph = true})[0];
  return grad({sum(slope)}, {leaf})[0];
}

void swish() {
  Derivation d("act-swish");
  constexpr double beta = 2;
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  d.given("β", beta);
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});
  const auto s = [&](int64_t i) { return sigmoid_of(beta * x(i)); };

  d.step("h1", "βx", each(5, [&](int64_t i) { return beta * x(i); }));
  d.step("h2", "e^(-βx)", each(5, [&](int64_t i) { return std::exp(-beta * x(i)); }));
  d.step("h3", "s", each(5, [&](int64_t i) { return 1 / (1 + std::exp(-beta * x(i))); }));
  const Numbers y = each(5, [&](int64_t i) { return x(i) * s(i); });
  d.step("h4", "y", y);

  d.step("1", "y", y);
  d.step("2", "ds/du", each(5, [&](int64_t i) { return s(i) * (1 - s(i)); }));
  d.step("3", "∂s/∂x", each(5, [&](int64_t i) { return s(i) * (1 - s(i)) * beta; }));
  d.step("4", "∂y/∂x", each(5, [&](int64_t i) { return 1 * s(i) + x(i) * (s(i) * (1 - s(i)) * beta); }));
  const auto slope = [&](int64_t i) { return s(i) * (1 + beta * x(i) * (1 - s(i))); };
  d.step("5", "∂y/∂x", each(5, slope));
  d.step("6", "dL/dx", each(5, [&](int64_t j) { return sum(5, [&](int64_t i) { return g(i) * delta(i, j) * slope(i); }); }));
  d.step("7", "dL/dx", each(5, [&](int64_t j) { return g(j) * slope(j); }));
  d.step("8", "∂s/∂β", each(5, [&](int64_t i) { return s(i) * (1 - s(i)) * x(i); }));
  d.step("9", "∂y/∂β", each(5, [&](int64_t i) { return x(i) * x(i) * s(i) * (1 - s(i)); }));
  d.step("10", "dL/dβ", sum(5, [&](int64_t i) { return g(i) * x(i) * x(i) * s(i) * (1 - s(i)); }));

  d.gradient("dL/dx", nn::act::swish(beta), x, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::learned_swish(x, t); }, beta, g);

  // The minimum, for β = 1: the zero of h(x) = 1 + x + e^x, by Newton's steps.
  double lowest = d.given("x", -1.25)(0);
  const auto newton = [](double at) { return at - (1 + at + std::exp(at)) / (1 + std::exp(at)); };
  d.step("m1", "h at x", 1 + lowest + std::exp(lowest));
  d.step("m2", "x after one step", lowest = newton(lowest));
  d.step("m3", "x after two", lowest = newton(lowest));
  for (int i = 0; i < 3; ++i) lowest = newton(lowest);
  d.law("m4", "y there", lowest * sigmoid_of(lowest), lowest + 1);
  d.law("m5", "the tape's slope there", slope_of(nn::act::swish(1), lowest), 0);
  const Numbers betas{0.5, 2, 4};
  d.law("m6", "y at -1.278/β", each(3, [&](int64_t i) { return lowest / betas(i) * sigmoid_of(lowest); }),
        each(3, [&](int64_t i) { return (lowest + 1) / betas(i); }));
}

void silu() {
  Derivation d("act-silu");
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});
  const auto s = [&](int64_t i) { return sigmoid_of(x(i)); };

  d.step("h1", "s", each(5, s));
  const Numbers y = each(5, [&](int64_t i) { return x(i) * s(i); });
  d.step("h2", "y", y);

  const auto slope = [&](int64_t i) { return s(i) * (1 + x(i) * (1 - s(i))); };
  d.step("1", "dy/dx", each(5, slope));
  d.step("2", "dy/dx", each(5, [&](int64_t i) { return y(i) + s(i) * (1 - y(i)); }));
  d.step("3", "dL/dx", each(5, [&](int64_t j) { return g(j) * slope(j); }));
  d.law("4", "f'(x) + f'(-x)", each(5, [&](int64_t i) { return slope(i) + sigmoid_of(-x(i)) * (1 - x(i) * (1 - sigmoid_of(-x(i)))); }),
        {1, 1, 1, 1, 1});
  d.law("5", "d²y/dx²", each(5, [&](int64_t i) { return s(i) * (1 - s(i)) * (2 + x(i) * (1 - 2 * s(i))); }), bend_of(nn::act::silu, x));
  double steepest = 2;  // the zero of x tanh(x/2) - 2, by x ← 2 / tanh(x/2)
  for (int i = 0; i < 100; ++i) steepest = 2 / std::tanh(steepest / 2);
  d.step("6", "x where it is steepest", steepest);
  d.step("7", "the slope there", sigmoid_of(steepest) * (1 + steepest * (1 - sigmoid_of(steepest))));

  d.gradient("dL/dx", nn::act::silu, x, g);
}

void quick_gelu() {
  Derivation d("act-quick-gelu");
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});
  const auto s = [&](int64_t i) { return sigmoid_of(1.702 * x(i)); };

  d.step("h1", "s", each(5, s));
  d.step("h2", "y", each(5, [&](int64_t i) { return x(i) * s(i); }));
  d.step("h3", "GELU(x)", each(5, [&](int64_t i) { return x(i) * below(x(i)); }));
  d.step("1", "dL/dx", each(5, [&](int64_t j) { return g(j) * s(j) * (1 + 1.702 * x(j) * (1 - s(j))); }));

  // The greatest distance on 0 … 6 of two curves that are both odd, or both even, in x.
  const auto apart = [](const std::function<double(double)>& difference) {
    double most = 0;
    for (int64_t i = 0; i <= 600'000; ++i) {
      most = std::max(most, std::abs(difference(static_cast<double>(i) / 100'000)));
    }
    return most;
  };
  d.step("2", "greatest |sigmoid(βx) - Φ(x)| for β of 1.6, 1.702, 1.8", each(3, [&](int64_t i) {
    const double beta = Numbers{1.6, 1.702, 1.8}(i);
    return apart([&](double t) { return sigmoid_of(beta * t) - below(t); });
  }));
  d.step("3", "greatest |y - GELU(x)|", apart([](double t) { return t * sigmoid_of(1.702 * t) - t * below(t); }));

  d.gradient("dL/dx", nn::act::quick_gelu, x, g);
}

void mish() {
  Derivation d("act-mish");
  const Numbers x = d.given("x", {-2, -0.5, 0, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5, -2});

  const Numbers zeta = each(5, [&](int64_t i) { return std::log(1 + std::exp(x(i))); });
  d.step("h1", "ζ", zeta);
  const Numbers t = each(5, [&](int64_t i) { return std::tanh(zeta(i)); });
  d.step("h2", "t", t);
  d.step("h3", "y", each(5, [&](int64_t i) { return x(i) * t(i); }));

  d.step("1", "y", each(5, [&](int64_t i) { return x(i) * t(i); }));
  d.step("2", "dy/dx", each(5, [&](int64_t i) {
    const double w = std::exp(x(i)), dt_dx = (1 - t(i) * t(i)) * (w / (1 + w));
    return 1 * t(i) + x(i) * dt_dx;
  }));
  d.step("3", "dζ/dx", each(5, [&](int64_t i) { return 1 / (1 + std::exp(x(i))) * std::exp(x(i)); }));
  d.step("4", "dζ/dx", each(5, [&](int64_t i) { return sigmoid_of(x(i)); }));
  d.step("5", "dt/dζ", each(5, [&](int64_t i) { return 1 - t(i) * t(i); }));
  const auto slope = [&](int64_t i) { return t(i) + x(i) * (1 - t(i) * t(i)) * sigmoid_of(x(i)); };
  d.step("6", "dy/dx", each(5, slope));
  d.step("7", "dL/dx", each(5, [&](int64_t j) { return g(j) * slope(j); }));
  const auto w = [&](int64_t i) { return std::exp(x(i)); };
  d.step("8", "t", each(5, [&](int64_t i) { return ((1 + w(i)) * (1 + w(i)) - 1) / ((1 + w(i)) * (1 + w(i)) + 1); }));
  d.step("9", "t", each(5, [&](int64_t i) { return (w(i) * w(i) + 2 * w(i)) / (w(i) * w(i) + 2 * w(i) + 2); }));

  d.gradient("dL/dx", nn::act::mish, x, g);
}

}  // namespace

int main() {
  swish();
  silu();
  quick_gelu();
  mish();
  return verdict();
}
