// regular-dropout, regular-stochastic-depth, regular-alpha-dropout: what is kept, on average and how far from it, and the
// gradient, line by line. Means and variances are taken over all masks, each with its probability: nothing is drawn.
#include <cmath>

#include "core/tensor/random.h"
#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// Σ over all masks of n numbers: probability of the mask · f(mask).
double over_masks(int64_t n, double p, const std::function<double(const std::function<double(int64_t)>&)>& f) {
  double result = 0;
  for (int64_t bits = 0; bits < (int64_t{1} << n); ++bits) {
    const auto m = [bits](int64_t i) { return static_cast<double>(bits >> i & 1); };
    double probability = 1;
    for (int64_t i = 0; i < n; ++i) probability *= m(i) == 1 ? 1 - p : p;
    result += probability * f(m);
  }
  return result;
}

// What the library's next mask of this shape will be.
Numbers mask_after(std::uint64_t seed, const Shape& shape, double p) {
  manual_seed(seed);
  return cast(uniform(shape) >= p, DType::f64);
}

void dropout() {
  Derivation d("regular-dropout");
  constexpr int64_t n = 4;
  constexpr std::uint64_t seed = 2;
  const Numbers x = d.given("x", {3, -6, 9, 6}), g = d.given("g", {3, 6, -3, 9});
  const double p = d.given("p", 0.25)(0);
  const Numbers mask = d.given("m", mask_after(seed, {n}, p));
  const auto dropped = [&](const Tensor& t) {
    manual_seed(seed);
    return nn::dropout(t, p);
  };
  d.step("h1", "1 / (1 - p)", 1 / (1 - p));
  d.step("h2", "m / (1 - p)", each(n, [&](int64_t i) { return mask(i) / (1 - p); }));
  d.law("h3", "y", each(n, [&](int64_t i) { return x(i) * mask(i) / (1 - p); }), dropped(x));
  d.step("h4", "mean of y_1 over four masks", (3 * x(0) / (1 - p) + 0) / 4);

  const auto mean_of = [&](const std::function<double(double, int64_t)>& f) {  // of f(m_i), number by number
    return each(n, [&](int64_t i) { return over_masks(n, p, [&](const auto& m) { return f(m(i), i); }); });
  };
  d.step("1", "mean of m", (1 - p) * 1 + p * 0);
  d.law("2", "mean of y", mean_of([&](double m, int64_t i) { return x(i) * m / (1 - p); }), x);
  const Numbers square = mean_of([&](double m, int64_t i) { return std::pow(x(i) * m / (1 - p), 2); });
  d.step("3", "mean of y²", square);
  d.step("4", "mean of y²", each(n, [&](int64_t i) { return x(i) * x(i) / (1 - p); }));
  d.step("5", "variance of y", each(n, [&](int64_t i) { return square(i) - x(i) * x(i); }));
  d.step("6", "variance of y", each(n, [&](int64_t i) { return x(i) * x(i) * p / (1 - p); }));
  d.step("7", "standard deviation by size", std::sqrt(p / (1 - p)));
  const Numbers w = d.given("w", {1, 1, 1, 1});
  const auto unit = [&](const auto& m) { return sum(n, [&](int64_t i) { return w(i) * x(i) * m(i) / (1 - p); }); };
  const double mean_unit = over_masks(n, p, unit);
  d.law("8", "mean of a unit", mean_unit, 12);
  const double spread = over_masks(n, p, [&](const auto& m) { return std::pow(unit(m) - mean_unit, 2); });
  d.step("9", "variance of a unit", spread);
  d.step("10", "variance of a unit", sum(n, [&](int64_t i) { return w(i) * w(i) * x(i) * x(i) * p / (1 - p); }));

  d.step("11", "∂y_i/∂x_i", each(n, [&](int64_t i) { return mask(i) / (1 - p); }));
  d.step("12", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * mask(i) / (1 - p) * delta(i, j); }); }));
  d.step("13", "dL/dx", each(n, [&](int64_t j) { return g(j) * mask(j) / (1 - p); }));
  d.gradient("dL/dx", dropped, x, g);
  d.law("14", "mean of dL/dx", mean_of([&](double m, int64_t i) { return g(i) * m / (1 - p); }), g);
  const double t = d.given("t", 10)(0);
  d.step("15", "mean loss", over_masks(n, p, [&](const auto& m) { return (unit(m) - t) * (unit(m) - t); }));
  d.step("16", "mean loss", (mean_unit - t) * (mean_unit - t) + spread);
  d.step("17", "what is added to dL/dw", each(n, [&](int64_t i) { return 2 * w(i) * x(i) * x(i) * p / (1 - p); }));
  d.step("18", "mean of y with 1 / p", mean_of([&](double m, int64_t i) { return x(i) * m / p; }));
}

void stochastic_depth() {
  Derivation d("regular-stochastic-depth");
  constexpr std::uint64_t seed = 20;
  const double p = d.given("p", 0.2)(0);
  const Numbers f = d.given("f(x)", {{4, 8}, {2, -4}, {6, 2}}), g = d.given("g", {{4, 0}, {8, 4}, {0, -4}});
  const Numbers x = d.given("x", {{1, 1}, {2, 2}, {3, 3}});
  const Numbers mask = d.given("m", mask_after(seed, {3, 1}, p));
  const auto scaled = [&](int64_t b) { return mask(b) / (1 - p); };
  const auto dropped = [&](const Tensor& t) {
    manual_seed(seed);
    return nn::stochastic_depth(t, p);
  };
  d.law("1", "x + m f / (1 - p)", each(3, 2, [&](int64_t b, int64_t i) { return x(b, i) + scaled(b) * f(b, i); }), x.tensor() + dropped(f));
  d.law(
      "2", "mean over the masks",
      each(3, 2, [&](int64_t b, int64_t i) { return over_masks(1, p, [&](const auto& m) { return x(b, i) + m(0) / (1 - p) * f(b, i); }); }),
      x.tensor() + f.tensor());
  d.step("3", "dL/df", each(3, 2, [&](int64_t b, int64_t i) { return scaled(b) * g(b, i); }));
  d.gradient("dL/df", dropped, f, g);
  const double layers = 54, last = 0.5;
  d.law("4", "rates of 4 blocks up to 0.2", each(4, [](int64_t k) { return 0.2 * static_cast<double>(k + 1) / 4; }),
        each(4, [](int64_t k) { return nn::stochastic_depth_rate(0.2, k, 4, true); }));
  d.step("5", "blocks kept", sum(54, [&](int64_t k) { return 1 - last * static_cast<double>(k + 1) / layers; }));
  d.step("6", "blocks kept", layers - last * (layers + 1) / 2);
}

void alpha_dropout() {
  Derivation d("regular-alpha-dropout");
  constexpr int64_t n = 4;
  constexpr std::uint64_t seed = 2;
  const double p = d.given("p", 0.25)(0);
  // α and λ as act-selu has them.
  const double alpha = 1.6732632423543772, lambda = 1.0507009873554805, floor = -lambda * alpha;
  d.step("1", "α'", floor);
  // x of mean 0 and variance 1: 1 and -1, each with probability one half.
  const auto mean_of = [&](const std::function<double(double)>& f) {
    return over_masks(1, p, [&](const auto& m) {
      return sum(2, [&](int64_t half) {
        const double x = half == 0 ? 1 : -1;
        return 0.5 * f(x * m(0) + floor * (1 - m(0)));
      });
    });
  };
  const double mean = mean_of([](double u) { return u; }), square = mean_of([](double u) { return u * u; });
  d.step("2", "mean of u", mean);
  d.step("3", "mean of u", p * floor);
  d.step("4", "mean of u²", square);
  d.step("5", "mean of u²", 1 - p + p * floor * floor);
  d.step("6", "variance of u", square - mean * mean);
  d.step("7", "variance of u", 1 - p + p * floor * floor - p * p * floor * floor);
  d.step("8", "variance of u", (1 - p) * (1 + p * floor * floor));
  const double a = 1 / std::sqrt((1 - p) * (1 + p * floor * floor)), b = -a * p * floor;
  d.step("9", "a", a);
  d.step("10", "b", b);
  d.law("11", "mean of y", mean_of([&](double u) { return a * u + b; }), 0);
  d.law("12", "variance of y", mean_of([&](double u) { return std::pow(a * u + b, 2); }), 1);
  d.step("13", "variance with plain dropout", over_masks(1, p, [&](const auto& m) { return std::pow(m(0) / (1 - p), 2); }));
  const Numbers x = d.given("x", {1, -1, 2, 0.5}), g = d.given("g", {2, 1, -1, 4});
  const Numbers mask = d.given("m", mask_after(seed, {n}, p));
  const auto dropped = [&](const Tensor& t) {
    manual_seed(seed);
    return nn::alpha_dropout(t, p);
  };
  d.law("14", "y", each(n, [&](int64_t i) { return a * (x(i) * mask(i) + floor * (1 - mask(i))) + b; }), dropped(x));
  d.step("15", "dL/dx", each(n, [&](int64_t i) { return a * g(i) * mask(i); }));
  d.gradient("dL/dx", dropped, x, g);
}

}  // namespace

int main() {
  dropout();
  stochastic_depth();
  alpha_dropout();
  return verdict();
}
