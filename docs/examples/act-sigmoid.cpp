// act-sigmoid, act-tanh and act-softplus: values and slopes, line by line, at inputs whose exponentials are whole numbers
// or simple fractions.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid_at(double x) { return 1 / (1 + std::exp(-x)); }

// The slope of f at x that the tape gives.
double by_tape(const std::function<Tensor(const Tensor&)>& f, double x) {
  const Tensor leaf = tensor(x, DType::f64).set_requires_grad();
  return grad({f(leaf)}, {leaf})[0].item();
}

void sigmoid() {
  Derivation d("act-sigmoid");
  const Numbers x = d.given("x", {-std::log(3), 0, std::log(3), std::log(9)});
  const Numbers g = d.given("g", {1, 4, -1, 2});
  constexpr int64_t n = 4;

  const Numbers u = each(n, [&](int64_t i) { return std::exp(-x(i)); });
  d.step("h1", "u", u);
  const Numbers q = each(n, [&](int64_t i) { return 1 + u(i); });
  d.step("h2", "q", q);
  const Numbers y = each(n, [&](int64_t i) { return 1 / q(i); });
  d.step("h3", "y", y);
  d.law("h4", "sigmoid(x) + sigmoid(-x)", each(n, [&](int64_t i) { return sigmoid_at(x(i)) + sigmoid_at(-x(i)); }), {1, 1, 1, 1});

  d.step("1", "y", each(n, [&](int64_t i) { return 1 / q(i); }));
  d.step("2", "dq/dx", each(n, [&](int64_t i) { return -u(i); }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return (0 * q(i) - 1 * -u(i)) / (q(i) * q(i)); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return 1 / q(i) * (u(i) / q(i)); }));
  d.step("5", "u/q", each(n, [&](int64_t i) { return (q(i) - 1) / q(i); }));
  d.step("6", "u/q", each(n, [&](int64_t i) { return 1 - y(i); }));
  const Numbers slope = each(n, [&](int64_t i) { return y(i) * (1 - y(i)); });
  d.step("7", "dy/dx", slope);
  const auto jacobian = [&](int64_t i, int64_t j) { return delta(i, j) * slope(i); };
  d.step("8", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * jacobian(i, j); }); }));
  d.step("9", "dL/dx", each(n, [&](int64_t j) { return g(j) * y(j) * (1 - y(j)); }));
  d.law("10", "1/4 - y(1 - y) - (y - 1/2)²", each(n, [&](int64_t i) { return 0.25 - slope(i) - (y(i) - 0.5) * (y(i) - 0.5); }),
        {0, 0, 0, 0});
  d.step("11", "d²y/dx²", each(n, [&](int64_t i) { return slope(i) * (1 - y(i)) + y(i) * -slope(i); }));
  d.step("12", "d²y/dx²", each(n, [&](int64_t i) { return slope(i) * (1 - 2 * y(i)); }));

  d.gradient("dL/dx", [](const Tensor& t) { return gradus::sigmoid(t); }, x, g);
  d.gradient("d²y/dx²", [](const Tensor& t) { return gradus::sigmoid(t) * (1 - gradus::sigmoid(t)); }, x, {1, 1, 1, 1});

  // Far out: x = -1000, where e^-x overflows, and x = 40, where y is 1 to the last digit.
  const double over = std::exp(1000), under = std::exp(-1000);
  d.step("s1", "e^1000", over);
  d.step("s2", "y at -1000", 1 / (1 + over));
  d.step("s3", "u/q² at -1000", std::abs(over / ((1 + over) * (1 + over))));
  d.step("s4", "y at -1000", under / (1 + under));
  d.step("s5", "e^-1000/(1 + e^-1000)²", under / ((1 + under) * (1 + under)));
  d.law("s6", "the tape's slope at -1000", by_tape([](const Tensor& t) { return gradus::sigmoid(t); }, -1000), 0);
  d.law("s7", "the slope of 1/(1 + exp(-x)) op by op", std::abs(by_tape(nn::formula::sigmoid, -1000)), std::nan(""));
  d.step("s8", "e^40 y(1 - y) at 40", std::exp(40) * sigmoid_at(40) * (1 - sigmoid_at(40)));
  d.step("s9", "e^40 sigmoid(40) sigmoid(-40)", std::exp(40) * sigmoid_at(40) * sigmoid_at(-40));

  // The slope at 0, and what note 2 has for it.
  d.step("e1", "f(0)(1 - f(0))", sigmoid_at(0) * (1 - sigmoid_at(0)));
  d.step("e2", "f(0) f(1 - 0)", sigmoid_at(0) * sigmoid_at(1 - 0));
}

void tanh() {
  Derivation d("act-tanh");
  const Numbers x = d.given("x", {-std::log(2), 0, std::log(2), std::log(3)});
  const Numbers g = d.given("g", {1, -2, 0.5, 3});
  constexpr int64_t n = 4;

  const Numbers u = each(n, [&](int64_t i) { return std::exp(x(i)) - std::exp(-x(i)); });
  const Numbers q = each(n, [&](int64_t i) { return std::exp(x(i)) + std::exp(-x(i)); });
  d.step("h1", "u", u);
  d.step("h2", "q", q);
  const Numbers y = each(n, [&](int64_t i) { return u(i) / q(i); });
  d.step("h3", "y", y);
  d.step("h4", "y", each(n, [&](int64_t i) { return 2 * sigmoid_at(2 * x(i)) - 1; }));

  d.step("1", "y", each(n, [&](int64_t i) { return u(i) / q(i); }));
  d.step("2", "du/dx", each(n, [&](int64_t i) { return std::exp(x(i)) + std::exp(-x(i)); }));
  d.step("3", "dq/dx", each(n, [&](int64_t i) { return std::exp(x(i)) - std::exp(-x(i)); }));
  d.step("4", "dy/dx", each(n, [&](int64_t i) { return (q(i) * q(i) - u(i) * u(i)) / (q(i) * q(i)); }));
  d.step("5", "dy/dx", each(n, [&](int64_t i) { return 1 - y(i) * y(i); }));
  const Numbers v = each(n, [&](int64_t i) { return std::exp(-2 * x(i)); });
  d.step("6", "y", each(n, [&](int64_t i) { return (1 - v(i)) / (1 + v(i)); }));
  const Numbers p = each(n, [&](int64_t i) { return sigmoid_at(2 * x(i)); });
  d.step("7", "y", each(n, [&](int64_t i) { return 2 * p(i) - 1; }));
  d.step("8", "dy/dx", each(n, [&](int64_t i) { return 2 * p(i) * (1 - p(i)) * 2; }));
  d.step("9", "dy/dx", each(n, [&](int64_t i) { return (1 + y(i)) * (1 - y(i)); }));
  d.step("10", "dL/dx", each(n, [&](int64_t i) { return g(i) * (1 - y(i) * y(i)); }));
  d.step("11", "d²y/dx²", each(n, [&](int64_t i) { return -2 * y(i) * (1 - y(i) * y(i)); }));

  d.gradient("dL/dx", [](const Tensor& t) { return gradus::tanh(t); }, x, g);
  d.gradient("d²y/dx²", [](const Tensor& t) { return 1 - square(gradus::tanh(t)); }, x, {1, 1, 1, 1});

  d.law("s1", "u/q at 1000", std::abs((std::exp(1000) - std::exp(-1000)) / (std::exp(1000) + std::exp(-1000))), std::nan(""));
  d.step("s2", "2 sigmoid(2000) - 1", 2 * sigmoid_at(2000) - 1);
  d.step("s3", "10⁸ (2 sigmoid(2x) - 1) / tanh(x) - 10⁸ at 1e-10", 1e8 * ((2 * sigmoid_at(2e-10) - 1) / std::tanh(1e-10) - 1));
}

void softplus() {
  Derivation d("act-softplus");
  const Numbers x = d.given("x", {-std::log(3), 0, std::log(3), std::log(9)});
  const Numbers g = d.given("g", {4, 2, -4, 10});
  constexpr int64_t n = 4;

  d.step("1", "y", each(n, [&](int64_t i) { return std::log(1 + std::exp(x(i))); }));
  d.step("2", "dy/dx", each(n, [&](int64_t i) { return std::exp(x(i)) / (1 + std::exp(x(i))); }));
  d.step("3", "dy/dx", each(n, [&](int64_t i) { return 1 / (1 + std::exp(-x(i))); }));
  d.step("4", "dL/dx", each(n, [&](int64_t i) { return g(i) * sigmoid_at(x(i)); }));
  d.gradient("dL/dx", nn::act::softplus, x, g);

  d.step("5", "y", each(n, [&](int64_t i) { return x(i) + std::log(std::exp(-x(i)) + 1); }));
  d.step("6", "y", each(n, [&](int64_t i) { return std::max(0.0, x(i)) + std::log1p(std::exp(-std::abs(x(i)))); }));
  d.step("s1", "log(1 + e^1000)", std::log(1 + std::exp(1000)));
  d.step("s2", "max(0, 1000) + log(1 + e^-1000)", std::max(0, 1000) + std::log1p(std::exp(-1000)));
  d.law("s3", "the tape's slope at 1000", by_tape(nn::act::softplus, 1000), 1);
}

}  // namespace

int main() {
  sigmoid();
  tanh();
  softplus();
  return verdict();
}
