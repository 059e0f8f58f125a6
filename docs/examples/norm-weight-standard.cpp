// norm-weight-standard: a row of a weight, centred and scaled.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("norm-weight-standard");
  const Numbers weight = d.given("W", {1, 1, 5, 5});
  const Numbers g = d.given("dL/dw", {1, 2, 3, -2});
  constexpr int64_t n = 4;  // ε = 0

  const auto mean = [&](const std::function<double(int64_t)>& f) { return sum(n, f) / n; };
  const double mu = mean([&](int64_t i) { return weight(i); });
  d.step("1", "μ", mu);
  const double sigma = std::sqrt(mean([&](int64_t i) { return std::pow(weight(i) - mu, 2); }));
  d.step("2", "σ", sigma);
  const Numbers w = each(n, [&](int64_t i) { return (weight(i) - mu) / sigma; });
  d.step("3", "w", w);
  const auto jacobian = [&](int64_t i, int64_t j) { return (delta(i, j) - 1.0 / n - w(i) * w(j) / n) / sigma; };
  d.step("4", "∂w_1/∂W", each(n, [&](int64_t j) { return jacobian(0, j); }));
  d.step("5", "dL/dW", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * jacobian(i, j); }); }));
  const double mean_g = mean([&](int64_t i) { return g(i); }), along = mean([&](int64_t i) { return g(i) * w(i); });
  const Numbers dw = each(n, [&](int64_t j) { return (g(j) - mean_g - w(j) * along) / sigma; });
  d.step("6", "dL/dW", dw);
  d.law("7", "Σ dL/dW", sum(n, [&](int64_t j) { return dw(j); }), 0);
  d.law("8", "Σ W ⊙ dL/dW", sum(n, [&](int64_t j) { return weight(j) * dw(j); }), 0);
  d.step("9", "Σ (W - μ)² after a step", sum(n, [&](int64_t j) { return std::pow(weight(j) - dw(j) - mu, 2); }));
  d.step("10", "Σ (W - μ)² after a step", n * sigma * sigma + sum(n, [&](int64_t j) { return dw(j) * dw(j); }));

  d.gradient("dL/dW", [](const Tensor& t) { return reshape(nn::weight_standard(reshape(t, {1, 4}), 0), {4}); }, weight, g);
  return verdict();
}
