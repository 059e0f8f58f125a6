// optim-adafactor and optim-lamb: steps whose length is that of the tensor, in plain numbers.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

template <typename Optimizer, typename Options> Numbers after(const Numbers& start, const Numbers& gradient, Options options) {
  const Tensor theta = start.tensor().set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  theta.set_grad(gradient);
  optimizer.step();
  return theta;
}

double rms(const Numbers& a) {
  const auto n = static_cast<int64_t>(a.values().size());
  return std::sqrt(sum(n, [&](int64_t i) { return a(i) * a(i); }) / static_cast<double>(n));
}

void adafactor() {
  Derivation d("optim-adafactor");
  const Numbers g = d.given("g", {{1, 2}, {4, 2}});
  const Numbers theta = d.given("θ", {{3, 1}, {1, 5}});
  const Numbers q = each(2, 2, [&](int64_t i, int64_t j) { return g(i, j) * g(i, j); });
  d.step("1", "Q", q);
  const Numbers rows = each(2, [&](int64_t i) { return (q(i, 0) + q(i, 1)) / 2; });
  const Numbers columns = each(2, [&](int64_t j) { return (q(0, j) + q(1, j)) / 2; });
  d.step("2", "R", rows);
  d.step("3", "C", columns);
  const double both = (rows(0) + rows(1)) / 2;
  d.law("4", "mean(R)", both, (columns(0) + columns(1)) / 2);
  const Numbers v = each(2, 2, [&](int64_t i, int64_t j) { return rows(i) * columns(j) / both; });
  d.step("5", "V", v);
  d.law("6", "its row means", each(2, [&](int64_t i) { return (v(i, 0) + v(i, 1)) / 2; }), rows);
  // The I-divergence of Q from a product, near the best one: it rises both ways.
  const auto divergence = [&](double stretch) {
    return sum(4, [&](int64_t k) {
      const double product = v(k) * (k / 2 == 0 ? stretch : 1);
      return q(k) * std::log(q(k) / product) - q(k) + product;
    });
  };
  d.step("7", "divergence with the first row times 0.9, 1, 1.1", Numbers{divergence(0.9), divergence(1), divergence(1.1)});
  const Numbers u = each(2, 2, [&](int64_t i, int64_t j) { return g(i, j) / std::sqrt(v(i, j)); });
  d.step("8", "U", u);
  d.step("9", "RMS(U)", rms(u));
  d.step("10", "RMS(θ)", rms(theta));
  constexpr double eta = 0.01;
  const double length = eta * std::max(1e-3, rms(theta)) / std::max(1.0, rms(u));
  d.law("11", "θ after a step", each(2, 2, [&](int64_t i, int64_t j) { return theta(i, j) - length * u(i, j); }),
        after<optim::Adafactor>(theta, g, optim::AdafactorOptions{.lr = eta}));
  d.step("12", "β_1, β_2, β_10, β_1000", each(4, [](int64_t i) {
    const double t = i == 0 ? 1 : i == 1 ? 2 : i == 2 ? 10 : 1000;
    return 1 - std::pow(t, -0.8);
  }));
  d.step("13", "numbers kept for 1024 × 4096, Adafactor and Adam", Numbers{1024 + 4096, 2.0 * 1024 * 4096});
}

void lamb() {
  Derivation d("optim-lamb");
  const Numbers theta = d.given("θ", {3, 4});
  const Numbers g = d.given("g", {0.5, -6});
  constexpr double eta = 0.1, eps = 1e-300, lambda = 1;
  const Numbers step = each(2, [&](int64_t i) { return g(i) / (std::abs(g(i)) + eps); });
  const auto length = [](const Numbers& a) { return std::hypot(a(0), a(1)); };
  const Numbers u = each(2, [&](int64_t i) { return step(i) + lambda * theta(i); });
  d.step("1", "m̂ / (√v̂ + ε)", step);
  d.step("2", "u", u);
  d.step("3", "‖θ‖, ‖u‖", Numbers{length(theta), length(u)});
  const auto next = [&](const Numbers& way) {
    return each(2, [&](int64_t i) { return theta(i) - eta * length(theta) / length(way) * way(i); });
  };
  d.law("4", "θ after a step", next(u), after<optim::LAMB>(theta, g, optim::LAMBOptions{.lr = eta, .eps = eps, .weight_decay = lambda}));
  const Numbers without = next(step);
  d.law("5", "without decay", without, after<optim::LAMB>(theta, g, optim::LAMBOptions{.lr = eta, .eps = eps, .weight_decay = 0}));
  d.law("6", "length of that step", std::hypot(without(0) - theta(0), without(1) - theta(1)), eta * length(theta));
  const double weight = (1 - 0.9) / std::sqrt(1 - 0.999);
  d.step("7", "weight of g without the correction", weight);
  const Numbers uncorrected{weight + lambda * theta(0), -weight + lambda * theta(1)};
  d.step("8", "trust ratio times u, uncorrected", each(2, [&](int64_t i) { return length(theta) / length(uncorrected) * uncorrected(i); }));
  d.step("9", "step from [30, 40], ‖θ‖ clamped to 10, over ours", 10.0 / 50);
}

}  // namespace

int main() {
  adafactor();
  lamb();
  return verdict();
}
