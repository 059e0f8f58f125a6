// norm-layer-std: layer norm by the unbiased standard deviation, ε outside the root, line by line.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("norm-layer-std");
  const Numbers x = d.given("x", {4, 0, 0, 0});
  const Numbers gain = d.given("γ", {2, 1, 1, 1});
  const Numbers bias = d.given("β", {0, 0, 0, 1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const double eps = d.given("ε", 0.5)(0);
  constexpr int64_t n = 4;

  const double mu = sum(n, [&](int64_t k) { return x(k); }) / n;
  const Numbers c = each(n, [&](int64_t i) { return x(i) - mu; });
  const double squares = sum(n, [&](int64_t k) { return c(k) * c(k); });
  const double s = std::sqrt(squares / (n - 1));
  const Numbers u = each(n, [&](int64_t i) { return c(i) / (s + eps); });
  d.step("h1", "x - μ", c);
  d.step("h2", "s", s);
  d.step("h3", "u", u);
  d.step("h4", "y", each(n, [&](int64_t i) { return gain(i) * u(i) + bias(i); }));
  d.law("h5", "x̂ of norm-layer", each(n, [&](int64_t i) { return c(i) / std::sqrt(squares / n + eps); }),
        nn::layer_norm(x, {n}, {}, {}, eps));

  d.step("1", "dL/dβ", g);
  d.step("2", "dL/dγ", each(n, [&](int64_t i) { return g(i) * u(i); }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  d.step("3", "ĝ", g_hat);
  const auto d_centred = [&](int64_t k, int64_t j) { return delta(k, j) - 1.0 / n; };
  d.step("4", "∂s/∂x",
         each(n, [&](int64_t j) { return sum(n, [&](int64_t k) { return 2 * c(k) * d_centred(k, j); }) / (n - 1) / (2 * s); }));
  const Numbers ds = each(n, [&](int64_t j) { return c(j) / ((n - 1) * s); });
  d.step("5", "∂s/∂x", ds);
  const auto jacobian = [&](int64_t i, int64_t j) { return d_centred(i, j) / (s + eps) - u(i) / (s + eps) * ds(j); };
  d.step("6", "∂u_1/∂x", each(n, [&](int64_t j) { return jacobian(0, j); }));
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * jacobian(i, j); }); }));
  const double mean_g = sum(n, [&](int64_t i) { return g_hat(i); }) / n;
  const double along = sum(n, [&](int64_t i) { return g_hat(i) * u(i); }) / (n - 1);
  const Numbers dx = each(n, [&](int64_t j) { return (g_hat(j) - mean_g) / (s + eps) - u(j) * along / s; });
  d.step("8", "dL/dx", dx);
  d.law("9", "Σ dL/dx", sum(n, [&](int64_t j) { return dx(j); }), 0);

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::layer_norm_std(t, gain, bias, eps); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::layer_norm_std(x, t, bias, eps); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::layer_norm_std(x, gain, t, eps); }, bias, g);
  return verdict();
}
