// optim-sgd and what adds memory to it: the steps in plain numbers, and the reasons for them.
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// θ after one step for each of the gradients, which may depend on θ.
template <typename Optimizer, typename Options>
Numbers after(const Numbers& start, int steps, Options options, const std::function<Numbers(const Numbers&)>& gradient) {
  const Tensor theta = start.tensor().set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  for (int t = 0; t < steps; ++t) {
    theta.set_grad(gradient(theta));
    optimizer.step();
  }
  return theta;
}

void sgd() {
  Derivation d("optim-sgd");
  const Numbers theta = d.given("θ", {3, 1});
  const Numbers a = d.given("a", {1, 4});
  const auto loss = [&](const Numbers& x) { return sum(2, [&](int64_t i) { return a(i) * x(i) * x(i); }) / 2; };
  const auto slope = [&](const Numbers& x) { return each(2, [&](int64_t i) { return a(i) * x(i); }); };
  const Numbers g = slope(theta);
  d.step("h1", "L(θ)", loss(theta));
  d.step("h2", "g", g);
  constexpr double eta = 0.25;
  const Numbers step = each(2, [&](int64_t i) { return -eta * g(i); });
  d.step("h3", "step", step);
  const Numbers next = each(2, [&](int64_t i) { return theta(i) + step(i); });
  d.step("h4", "θ after the step", next);
  d.step("h5", "L after the step", loss(next));
  d.law("h6", "θ by the library", next, after<optim::SGD>(theta, 1, optim::SGDOptions{.lr = eta}, slope));

  // Why minus the gradient: of all steps as long as this one, which goes down most?
  const Numbers s = d.given("s", {0, -0.05});
  const auto length = [](const Numbers& x) { return std::sqrt(sum(2, [&](int64_t i) { return x(i) * x(i); })); };
  const auto dot = [](const Numbers& x, const Numbers& y) { return sum(2, [&](int64_t i) { return x(i) * y(i); }); };
  d.step("1", "Σ g_i s_i", dot(g, s));
  const Numbers both = each(2, [&](int64_t i) { return s(i) / length(s) + g(i) / length(g); });
  d.step("2", "‖s/‖s‖ + g/‖g‖‖²", dot(both, both));
  d.step("3", "‖s/‖s‖ + g/‖g‖‖²", 2 + 2 * dot(g, s) / (length(g) * length(s)));
  d.step("4", "least Σ g_i s_i", -length(g) * length(s));
  const Numbers best = each(2, [&](int64_t i) { return -length(s) / length(g) * g(i); });
  d.step("5", "best s", best);
  d.law("6", "Σ g_i s_i of it", dot(g, best), -length(s) / length(g) * dot(g, g));

  // How long: the exact change on a quadratic, and the factor of each number.
  d.step("7", "change, first order", dot(g, step));
  d.step("8", "change, second order", sum(2, [&](int64_t i) { return a(i) * step(i) * step(i); }) / 2);
  d.law("9", "change", dot(g, step) + sum(2, [&](int64_t i) { return a(i) * step(i) * step(i); }) / 2, loss(next) - loss(theta));
  const auto factor = [&](double rate) { return each(2, [&a, rate](int64_t i) { return 1 - rate * a(i); }); };
  const auto steps_by = [&](double rate, int t) {
    const Numbers f = factor(rate);
    return each(2, [&](int64_t i) { return std::pow(f(i), t) * theta(i); });
  };
  const auto library = [&](double rate, int t) { return after<optim::SGD>(theta, t, optim::SGDOptions{.lr = rate}, slope); };
  d.step("10", "1 - η a", factor(eta));
  d.law("11", "θ after 3 steps", steps_by(eta, 3), library(eta, 3));
  d.step("12", "largest stable η", 2 / a(1));
  d.law("13", "θ after 3 steps at η 0.5", steps_by(0.5, 3), library(0.5, 3));
  d.law("14", "θ after 3 steps at η 0.75", steps_by(0.75, 3), library(0.75, 3));
  const double fastest = 2 / (a(0) + a(1));
  d.step("15", "fastest η", fastest);
  d.step("16", "factors at it", factor(fastest));
  d.law("17", "slowest factor", (a(1) - a(0)) / (a(1) + a(0)), std::abs(factor(fastest)(1)));
}

void momentum() {
  Derivation d("optim-momentum");
  const auto one = [](const Numbers&) { return Numbers{1}; };
  const auto curve = [](const Numbers& x) { return Numbers{x(0)}; };
  const auto library = [](double start, int steps, const optim::MomentumOptions& options,
                          const std::function<Numbers(const Numbers&)>& gradient) {
    return after<optim::Momentum>(Numbers{start}, steps, options, gradient)(0);
  };
  // A gradient that stays 1.
  constexpr double mu = 0.5;
  Numbers u{0, 0, 0};
  {
    std::vector<double> values;
    for (double velocity = 0; values.size() < 3;) values.push_back(velocity = mu * velocity + 1);
    u = Numbers({3}, values);
  }
  d.step("1", "u", u);
  d.step("2", "u", each(3, [&](int64_t t) { return sum(t + 1, [&](int64_t k) { return std::pow(mu, k); }); }));
  d.step("3", "u", each(3, [&](int64_t t) { return (1 - std::pow(mu, t + 1)) / (1 - mu); }));
  d.step("4", "u in the end", 1 / (1 - mu));
  d.law("5", "θ after 3 steps", 1 - 0.1 * (u(0) + u(1) + u(2)), library(1, 3, {.lr = 0.1, .momentum = mu}, one));
  const double damped = 0.1 * (1 + (mu * 1 + (1 - mu)) + (mu * 1 + (1 - mu)));
  d.law("6", "θ after 3 steps, dampened", 1 - damped, library(1, 3, {.lr = 0.1, .momentum = mu, .dampening = mu}, one));

  // On L = a θ² / 2 with a = 1, η = ¼.
  constexpr double a = 1, eta = 0.25, critical = 0.25;
  double theta = 1, velocity = 0;
  std::vector<double> path;
  for (int t = 0; t < 3; ++t) {
    velocity = critical * velocity + a * theta;
    path.push_back(theta -= eta * velocity);
  }
  d.step("7", "θ", Numbers({3}, path));
  std::vector<double> recurrence{1, 1 - eta * a};
  while (recurrence.size() < 4) {
    const std::size_t t = recurrence.size();
    recurrence.push_back((1 + critical - eta * a) * recurrence[t - 1] - critical * recurrence[t - 2]);
  }
  d.step("8", "θ", Numbers({3}, {recurrence[1], recurrence[2], recurrence[3]}));
  const auto discriminant = [](double m) { return (1 + m - eta * a) * (1 + m - eta * a) - 4 * m; };
  d.step("9", "discriminant for three μ", Numbers{discriminant(0), discriminant(0.25), discriminant(0.81)});
  d.step("10", "critical μ", (1 - std::sqrt(eta * a)) * (1 - std::sqrt(eta * a)));
  d.step("11", "|z| for three μ", Numbers{1 - eta * a, std::sqrt(0.25), std::sqrt(0.81)});
  d.step("12", "θ", each(3, [](int64_t t) {
    const auto steps = static_cast<double>(t + 1);
    return (1 + 0.5 * steps) * std::pow(0.5, steps);
  }));
  d.law("13", "θ after 3 steps at μ 0.25", path[2], library(1, 3, {.lr = eta, .momentum = critical}, curve));
  d.law("14", "θ after 3 steps at μ 0", std::pow(1 - eta * a, 3), library(1, 3, {.lr = eta, .momentum = 0}, curve));
  constexpr double m = 0.5, border = 2 * (1 + m);
  const double z = -1;
  d.law("15", "z² - (1 + μ - η a) z + μ at z -1", z * z - (1 + m - border) * z + m, 0);
}

void nesterov() {
  Derivation d("optim-nesterov");
  constexpr double mu = 0.5, eta = 0.5;  // on L = θ² / 2, whose gradient is θ
  double phi = 1, velocity = 0;
  std::vector<double> at, ahead, velocities;
  for (int t = 0; t < 3; ++t) {
    const double g = phi - eta * mu * velocity;  // at the place ahead
    velocity = mu * velocity + g;
    phi -= eta * velocity;
    velocities.push_back(velocity);
    at.push_back(phi);
    ahead.push_back(phi - eta * mu * velocity);
  }
  d.step("1", "u", Numbers({3}, velocities));
  d.step("2", "φ", Numbers({3}, at));
  d.step("3", "θ", Numbers({3}, ahead));
  const Numbers u({3}, velocities), theta({3}, ahead);
  const auto before = [&](const Numbers& x, int64_t t, double first) { return t == 0 ? first : x(t - 1); };
  d.step("4", "θ", each(3, [&](int64_t t) { return before(theta, t, 1) + eta * mu * before(u, t, 0) - eta * u(t) - eta * mu * u(t); }));
  d.step("5", "θ", each(3, [&](int64_t t) {
    const double g = before(theta, t, 1);
    return g - eta * (g + mu * u(t));
  }));
  d.law("6", "θ after 3 steps", theta(2),
        after<optim::Nesterov>(Numbers{1}, 3, optim::NesterovOptions{.lr = eta, .momentum = mu}, [](const Numbers& x) { return x; })(0));
  double ball = 1, its = 0;
  for (int t = 0; t < 3; ++t) {
    its = mu * its + ball;
    ball -= eta * its;
  }
  d.law("7", "θ after 3 steps of momentum", ball,
        after<optim::Momentum>(Numbers{1}, 3, optim::MomentumOptions{.lr = eta, .momentum = mu}, [](const Numbers& x) { return x; })(0));
}

}  // namespace

int main() {
  sgd();
  momentum();
  nesterov();
  return verdict();
}
