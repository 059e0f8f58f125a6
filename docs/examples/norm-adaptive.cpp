// norm-adaptive: one sample of two tokens, whose γ, β and gate come from a condition of two numbers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// What the library makes of it: the norm itself (which = 0) or the gate (1), with this weight and no bias.
Tensor library(const Tensor& x, const Tensor& condition, const Tensor& weight, int which) {
  nn::AdaptiveNorm norm(4, 2, {.eps = 0, .gate = true});
  norm.to(DType::f64);
  norm.modulation.weight.share(nn::Parameter(weight));
  const auto [y, gate] = norm(reshape(x, {1, 2, 4}), reshape(condition, {1, 2}));
  return which == 0 ? reshape(y, {2, 4}) : expand(reshape(gate, {1, 4}), {2, 4});
}

void adaptive_norm() {
  Derivation d("norm-adaptive");
  constexpr int64_t tokens = 2, n = 4, conditions = 2;
  const Numbers x = d.given("x", {{5, 1, -2, 2}, {0, 4, 0, 4}});
  const Numbers c = d.given("c", {1, 2});
  const Numbers w_gain = d.given("W_γ", {{0, 1}, {1, 0}, {0, -1}, {2, 0}});
  const Numbers w_bias = d.given("W_β", {{1, 0}, {1, 1}, {0, 1}, {0, 0}});
  const Numbers w_gate = d.given("W_a", {{0, 0}, {1, 0}, {0, 1}, {1, -1}});
  const Numbers f = d.given("f", {{1, 2, 0, 1}, {0, 1, 1, -1}});
  const Numbers g = d.given("g", {{1, 0, 1, 0}, {0, 1, 2, -1}});

  const Numbers mu = each(tokens, [&](int64_t t) { return sum(n, [&](int64_t i) { return x(t, i); }) / n; });
  const Numbers r =
      each(tokens, [&](int64_t t) { return std::sqrt(sum(n, [&](int64_t i) { return (x(t, i) - mu(t)) * (x(t, i) - mu(t)); }) / n); });
  const Numbers x_hat = each(tokens, n, [&](int64_t t, int64_t i) { return (x(t, i) - mu(t)) / r(t); });
  d.step("1", "x̂", x_hat);
  const auto from_condition = [&](const Numbers& w, double start) {
    return each(n, [&](int64_t i) { return start + sum(conditions, [&](int64_t k) { return w(i, k) * c(k); }); });
  };
  const Numbers gain = from_condition(w_gain, 1), bias = from_condition(w_bias, 0), gate = from_condition(w_gate, 0);
  d.step("2", "γ", gain);
  d.step("3", "β", bias);
  d.step("4", "y", each(tokens, n, [&](int64_t t, int64_t i) { return gain(i) * x_hat(t, i) + bias(i); }));
  const Numbers d_gain = each(n, [&](int64_t i) { return sum(tokens, [&](int64_t t) { return g(t, i) * x_hat(t, i); }); });
  d.step("5", "dL/dγ", d_gain);
  const Numbers d_bias = each(n, [&](int64_t i) { return sum(tokens, [&](int64_t t) { return g(t, i); }); });
  d.step("6", "dL/dβ", d_bias);
  const Numbers d_weight = each(n, conditions, [&](int64_t i, int64_t k) { return d_gain(i) * c(k); });
  d.step("7", "dL/dW_γ", d_weight);
  d.step("8", "dL/dW_β", each(n, conditions, [&](int64_t i, int64_t k) { return d_bias(i) * c(k); }));
  d.step("9", "dL/dc", each(conditions, [&](int64_t k) {
    return sum(n, [&](int64_t i) { return d_gain(i) * w_gain(i, k) + d_bias(i) * w_bias(i, k); });
  }));
  const Numbers g_hat = each(tokens, n, [&](int64_t t, int64_t i) { return g(t, i) * gain(i); });
  d.step("10", "dL/dx", each(tokens, n, [&](int64_t t, int64_t j) {
    const double mean_g = sum(n, [&](int64_t i) { return g_hat(t, i); }) / n;
    const double mean_gx = sum(n, [&](int64_t i) { return g_hat(t, i) * x_hat(t, i); }) / n;
    return (g_hat(t, j) - mean_g - x_hat(t, j) * mean_gx) / r(t);
  }));

  d.step("11", "a", gate);
  const Numbers d_gate = each(n, [&](int64_t i) { return sum(tokens, [&](int64_t t) { return g(t, i) * f(t, i); }); });
  d.step("12", "dL/da", d_gate);
  d.step("13", "dL/df", each(tokens, n, [&](int64_t t, int64_t i) { return g(t, i) * gate(i); }));
  d.step("14", "dL/dW_a", each(n, conditions, [&](int64_t i, int64_t k) { return d_gate(i) * c(k); }));
  d.step("15", "dL/dc through a", each(conditions, [&](int64_t k) { return sum(n, [&](int64_t i) { return d_gate(i) * w_gate(i, k); }); }));

  const Tensor weight = cat({w_gain.tensor(), w_bias.tensor(), w_gate.tensor()}, 0);
  const auto norm = [&](const Tensor& in, const Tensor& condition) { return library(in, condition, weight, 0); };
  d.gradient("dL/dx", [&](const Tensor& t) { return norm(t, c); }, x, g);
  d.gradient("dL/dc", [&](const Tensor& t) { return norm(x, t); }, c, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::adaptive_norm(x, t - 1, bias, 0); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::adaptive_norm(x, gain.tensor() - 1, t, 0); }, bias, g);
  d.gradient("dL/dW_γ", [&](const Tensor& t) { return nn::adaptive_norm(x, matmul(t, c.tensor()), bias, 0); }, w_gain, g);
  d.gradient("dL/dW_β", [&](const Tensor& t) { return nn::adaptive_norm(x, gain.tensor() - 1, matmul(t, c.tensor()), 0); }, w_bias, g);
  d.gradient("dL/da", [&](const Tensor& t) { return x.tensor() + t * f.tensor(); }, gate, g);
  d.gradient("dL/df", [&](const Tensor& t) { return x.tensor() + library(x, c, weight, 1) * t; }, f, g);
  d.gradient("dL/dW_a", [&](const Tensor& t) { return x.tensor() + matmul(t, c.tensor()) * f.tensor(); }, w_gate, g);
  d.gradient("dL/dc through a", [&](const Tensor& t) { return x.tensor() + library(x, t, weight, 1) * f.tensor(); }, c, g);

  // The zero start: all of W is 0.
  const Tensor zero = zeros({12, 2}, DType::f64);
  d.law("16", "y at the zero start", Numbers(library(x, c, zero, 0)), x_hat);
  d.law("17", "a at the zero start", Numbers(select(library(x, c, zero, 1), 0, 0)), {0, 0, 0, 0});
}

}  // namespace

int main() {
  adaptive_norm();
  return verdict();
}
