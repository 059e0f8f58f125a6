// Steps of a length of their own: optim-rmsprop, optim-adagrad, optim-adadelta, optim-lion, in plain numbers.
#include <cmath>
#include <utility>

#include "docs/examples/derivation.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

using Row = std::vector<double>;

double sign(double a) { return static_cast<double>(a > 0) - static_cast<double>(a < 0); }

Numbers row(const Row& values) { return {{static_cast<int64_t>(values.size())}, values}; }

// θ after each step, from `start`, one gradient a step.
template <typename Optimizer, typename Options>
Numbers path(double start, const Row& gradients, Options options) {
  const Tensor theta = full({1}, start, DType::f64).set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  Row values;
  for (const double g : gradients) {
    theta.set_grad(full({1}, g, DType::f64));
    optimizer.step();
    values.push_back(theta.item());
  }
  return row(values);
}

void rmsprop() {
  Derivation d("optim-rmsprop");
  const Numbers g = d.given("g_1, g_2, g_3", {2, 2, 0.02});
  constexpr double alpha = 0.75, eta = 0.1, eps = 1e-8;
  Row v, steps, theta;
  double mean_square = 0, x = 1;
  for (const double gradient : g.values()) {
    mean_square = alpha * mean_square + (1 - alpha) * gradient * gradient;
    v.push_back(mean_square);
    steps.push_back(eta * gradient / (std::sqrt(mean_square) + eps));
    theta.push_back(x -= steps.back());
  }
  d.step("1", "v", row(v));
  d.step("2", "v, relative to g_1²", Numbers{1 - alpha, 1 - alpha * alpha});
  d.step("3", "step", row(steps));
  d.law("4", "θ", row(theta), path<optim::RMSprop>(1, g.values(), optim::RMSpropOptions{.lr = eta, .alpha = alpha}));
  d.law("5", "θ after a first step with g 0.002", 1 - eta * 0.002 / (std::sqrt((1 - alpha) * 0.002 * 0.002) + eps),
        path<optim::RMSprop>(1, {0.002}, optim::RMSpropOptions{.lr = eta, .alpha = alpha}).values()[0]);
  d.step("6", "first step by the defaults, in η", 1 / std::sqrt(1 - 0.99));
}

void adagrad() {
  Derivation d("optim-adagrad");
  const Numbers g = d.given("g_1, g_2, g_3", {3, 4, 12});
  constexpr double eta = 0.1, eps = 1e-10;
  Row s, steps, theta;
  double squares = 0, x = 1;
  for (const double gradient : g.values()) {
    squares += gradient * gradient;
    s.push_back(squares);
    steps.push_back(eta * gradient / (std::sqrt(squares) + eps));
    theta.push_back(x -= steps.back());
  }
  d.step("1", "s", row(s));
  d.step("2", "√s", each(3, [&](int64_t i) { return std::sqrt(s[static_cast<std::size_t>(i)]); }));
  d.step("3", "step", row(steps));
  d.law("4", "θ", row(theta), path<optim::Adagrad>(1, g.values(), optim::AdagradOptions{.lr = eta}));
  const Numbers same = path<optim::Adagrad>(0, Row(100, 7), optim::AdagradOptions{.lr = 1, .eps = 1e-300});
  d.law("5", "steps 1, 4, 100 of a constant gradient", Numbers{1, 1 / std::sqrt(4), 1 / std::sqrt(100)},
        Numbers{-same(0), same(2) - same(3), same(98) - same(99)});
  double way = 0;
  for (int t = 1; t <= 100; ++t) way += 1 / std::sqrt(t);
  d.law("6", "way in 100 steps", way, -same(99));
  d.step("7", "2√100", 2 * std::sqrt(100));
}

void adadelta() {
  Derivation d("optim-adadelta");
  const Numbers g = d.given("g_1, g_2", {2, 2});
  constexpr double rho = 0.75, eps = 1.0 / 3;
  Row v, deltas, s, theta;
  double mean_square = 0, of_steps = 0, x = 5;
  for (const double gradient : g.values()) {
    v.push_back(mean_square = rho * mean_square + (1 - rho) * gradient * gradient);
    deltas.push_back(std::sqrt(of_steps + eps) / std::sqrt(mean_square + eps) * gradient);
    s.push_back(of_steps = rho * of_steps + (1 - rho) * deltas.back() * deltas.back());
    theta.push_back(x -= deltas.back());
  }
  const optim::AdadeltaOptions options{.rho = rho, .eps = eps};
  d.step("1", "v", row(v));
  d.step("2", "Δ", row(deltas));
  d.step("3", "s", row(s));
  d.law("4", "θ", row(theta), path<optim::Adadelta>(5, g.values(), options));
  const auto slow = [&] {
    optim::AdadeltaOptions with = options;
    with.lr = 0.001;
    return path<optim::Adadelta>(5, g.values(), with);
  };
  d.law("5", "θ with η 0.001", each(2, [&](int64_t i) { return 5 - 0.001 * (5 - theta[static_cast<std::size_t>(i)]); }), slow());
  d.step("6", "first step by the defaults", std::sqrt(1e-6) / std::sqrt(0.1 + 1e-6));
}

void lion() {
  Derivation d("optim-lion");
  const Numbers first = d.given("g_1", {4, -1}), second = d.given("g_2", {-0.3, 0.5});
  constexpr double beta1 = 0.9, beta2 = 0.99, eta = 0.1, lambda = 0.5;
  const auto keep = 1 - eta * lambda;
  const Numbers start = d.given("θ", {2, 2});
  const Numbers c1 = each(2, [&](int64_t i) { return (1 - beta1) * first(i); });
  d.step("1", "c_1", c1);
  const Numbers theta1 = each(2, [&](int64_t i) { return keep * start(i) - eta * sign(c1(i)); });
  d.step("2", "θ_1", theta1);
  const Numbers m1 = each(2, [&](int64_t i) { return (1 - beta2) * first(i); });
  d.step("3", "m_1", m1);
  const Numbers c2 = each(2, [&](int64_t i) { return beta1 * m1(i) + (1 - beta1) * second(i); });
  d.step("4", "c_2", c2);
  const Numbers theta2 = each(2, [&](int64_t i) { return keep * theta1(i) - eta * sign(c2(i)); });
  const Tensor x = start.tensor().set_requires_grad();
  optim::Lion optimizer({{{{"x", x}}}}, {.lr = eta, .weight_decay = lambda});
  for (const Numbers& g : {first, second}) {
    x.set_grad(g);
    optimizer.step();
  }
  d.law("5", "θ_2", theta2, x);
  d.step("6", "change of L for a step of η sign", -eta * (std::abs(first(0)) + std::abs(first(1))));
  d.step("7", "the same by -g with that greatest number", -eta / 4 * (first(0) * first(0) + first(1) * first(1)));
}

}  // namespace

int main() {
  rmsprop();
  adagrad();
  adadelta();
  lion();
  return verdict();
}
