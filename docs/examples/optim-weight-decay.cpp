// optim-weight-decay, optim-clip and optim-ema: what is done beside a step, in plain numbers.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr double kEps = 1e-8;

double sign(double a) { return static_cast<double>(a > 0) - static_cast<double>(a < 0); }

template <typename Optimizer, typename Options>
Numbers after(const Numbers& start, const Numbers& gradient, int steps, Options options) {
  const Tensor theta = start.tensor().set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  for (int t = 0; t < steps; ++t) {
    theta.set_grad(gradient);
    optimizer.step();
  }
  return theta;
}

void weight_decay() {
  Derivation d("optim-weight-decay");
  const Numbers theta = d.given("θ", {2, -4});
  const Numbers g = d.given("g", {100, 0.5});
  constexpr double eta = 0.1, lambda = 0.25;
  const Numbers joined = each(2, [&](int64_t i) { return g(i) + lambda * theta(i); });
  const auto first_step = [](double gradient) { return eta * gradient / (std::abs(gradient) + kEps); };
  const auto shrunk = [&](int64_t i) { return (1 - eta * lambda) * theta(i); };
  d.step("h1", "shrunk", each(2, shrunk));
  d.step("h2", "Adam's step of g", each(2, [&](int64_t i) { return first_step(g(i)); }));
  d.law("h3", "decoupled", each(2, [&](int64_t i) { return shrunk(i) - first_step(g(i)); }),
        after<optim::AdamW>(theta, g, 1, optim::AdamWOptions{.lr = eta, .weight_decay = lambda}));
  d.step("h4", "g + λθ", joined);
  d.step("h5", "Adam's step of g + λθ", each(2, [&](int64_t i) { return first_step(joined(i)); }));
  d.law("h6", "coupled", each(2, [&](int64_t i) { return theta(i) - first_step(joined(i)); }),
        after<optim::Adam>(theta, g, 1, optim::AdamOptions{.lr = eta, .weight_decay = lambda}));

  // SGD: the same, with another λ at most.
  d.step("1", "gradient of L + λ/2 Σ θ²", joined);
  const Numbers by_sgd = each(2, [&](int64_t i) { return theta(i) - eta * (g(i) + lambda * theta(i)); });
  d.step("2", "θ by SGD", by_sgd);
  d.step("3", "θ by SGD", each(2, [&](int64_t i) { return (1 - eta * lambda) * theta(i) - eta * g(i); }));
  d.law("4", "θ by the library's SGD", by_sgd, after<optim::SGD>(theta, g, 1, optim::SGDOptions{.lr = eta, .weight_decay = lambda}));
  constexpr double own = 0.025;  // λ' of the paper
  d.step("5", "θ by SGD", each(2, [&](int64_t i) { return (1 - own) * theta(i) - eta * g(i); }));

  // Momentum keeps λθ for later steps.
  d.law("6", "by momentum, 2 steps without a gradient", 1 - 0.1 - 0.1 * (0.5 * 1 + 0.9),
        after<optim::Momentum>(Numbers{1}, Numbers{0}, 2, optim::MomentumOptions{.lr = 0.1, .momentum = 0.5, .weight_decay = 1})(0));
  d.step("7", "decoupled, 2 steps without a gradient", 0.9 * 0.9);

  // Adam: the step of noise of size s, and of λθ in it.
  d.step("8", "decay of one step by AdamW", each(2, [&](int64_t i) { return eta * lambda * theta(i); }));
  d.step("9", "coupled - decoupled", each(2, [&](int64_t i) { return theta(i) - first_step(joined(i)) - shrunk(i) + first_step(g(i)); }));
  d.step("10", "coupled - decoupled",
         each(2, [&](int64_t i) { return eta * lambda * theta(i) + first_step(g(i)) - first_step(joined(i)); }));
  d.step("11", "the same, ε → 0", each(2, [&](int64_t i) { return eta * (lambda * theta(i) + sign(g(i)) - sign(joined(i))); }));
  const Numbers sizes = d.given("s", {0.1, 1, 10});
  constexpr double lr = 1e-3, decay = 0.1;
  d.step("12", "√(s² + λ²θ²)", each(3, [&](int64_t i) { return std::hypot(sizes(i), decay); }));
  d.step("13", "left after 4,000 steps, decoupled", std::pow(1 - lr * decay, 4000));
  d.step("14", "left after 4,000 steps, coupled", each(3, [&](int64_t i) {
    double theta_t = 1;
    for (int t = 0; t < 4000; ++t) theta_t -= lr * decay * theta_t / std::hypot(sizes(i), decay * theta_t);
    return theta_t;
  }));
  d.step("15", "e^(-ηλT/s)", each(3, [&](int64_t i) { return std::exp(-lr * decay * 4000 / sizes(i)); }));

  // A falling rate is no decay.
  d.law("16", "with decay, no gradient, 100 steps", std::pow(1 - 0.1 * 0.1, 100),
        after<optim::SGD>(Numbers{1}, Numbers{0}, 100, optim::SGDOptions{.lr = 0.1, .weight_decay = 0.1})(0));
  d.law("17", "with a falling rate, no gradient", 1, after<optim::SGD>(Numbers{1}, Numbers{0}, 100, optim::SGDOptions{.lr = 0.01})(0));
}

void clip() {
  Derivation d("optim-clip");
  const Numbers g = d.given("g", {3, 4});  // of two tensors of one number each
  constexpr double limit = 1;
  const double norm = std::sqrt(g(0) * g(0) + g(1) * g(1));
  const auto clipped = [&](const std::function<void(const Tensors&)>& by) {
    Tensors parameters;
    for (const double value : g.values()) {
      parameters.push_back(zeros({1}, DType::f64).set_requires_grad());
      parameters.back().set_grad(full({1}, value, DType::f64));
    }
    by(parameters);
    return Numbers{parameters[0].grad().item(), parameters[1].grad().item()};
  };
  d.step("1", "‖g‖", norm);
  d.step("2", "factor", std::min(1.0, limit / norm));
  const Numbers by_norm = each(2, [&](int64_t i) { return g(i) * limit / norm; });
  d.law("3", "clipped g", by_norm, clipped([](const Tensors& p) { optim::clip_grad_norm(p, limit); }));
  d.law("4", "its norm", std::hypot(by_norm(0), by_norm(1)), limit);
  d.law("5", "each tensor by its own norm", Numbers{std::min(g(0), limit), std::min(g(1), limit)}, clipped([](const Tensors& p) {
    for (const Tensor& one : p) optim::clip_grad_norm({one}, limit);
  }));
  d.law("6", "by value", Numbers{std::min(g(0), limit), std::min(g(1), limit)},
        clipped([](const Tensors& p) { optim::clip_grad_value(p, limit); }));
  d.step("7", "norm of line 5", std::hypot(1, 1));
  d.step("8", "cosine between line 5 and g", (g(0) + g(1)) / (norm * std::hypot(1, 1)));
}

void ema() {
  Derivation d("optim-ema");
  const Numbers theta = d.given("θ_0 … θ_3", {8, 4, 2, 1});
  constexpr double beta = 0.5;
  std::vector<double> s{theta(0)};
  for (int64_t t = 1; t < 4; ++t) s.push_back(beta * s.back() + (1 - beta) * theta(t));
  const Tensor x = full({1}, theta(0), DType::f64);
  optim::MovingAverage average({{"x", x}}, beta);
  for (int64_t t = 1; t < 4; ++t) {
    Tensor now = x;
    now.assign(full({1}, theta(t), DType::f64));
    average.update();
  }
  d.step("1", "s_0 … s_3", Numbers({4}, s));
  d.step("2", "weights in s_3", Numbers{std::pow(beta, 3), (1 - beta) * beta * beta, (1 - beta) * beta, 1 - beta});
  d.step("3", "sum of the weights", std::pow(beta, 3) + (1 - std::pow(beta, 3)));
  d.law("4", "s_3", 0.125 * 8 + 0.125 * 4 + 0.25 * 2 + 0.5 * 1, average.state()[0].tensor.item());
  constexpr double b = 0.999;
  d.step("5", "mean age for two β", Numbers{beta / (1 - beta), b / (1 - b)});
  double ages = 0, noise = 0;
  for (int k = 0; k < 60; ++k) {
    ages += (1 - beta) * k * std::pow(beta, k);
    noise += std::pow((1 - beta) * std::pow(beta, k), 2);
  }
  d.law("6", "mean age, added up", ages, beta / (1 - beta));
  d.step("7", "share of the variance for two β", Numbers{(1 - beta) / (1 + beta), (1 - b) / (1 + b)});
  d.law("8", "share of the variance, added up", noise, (1 - beta) / (1 + beta));
}

}  // namespace

int main() {
  weight_decay();
  clip();
  ema();
  return verdict();
}
