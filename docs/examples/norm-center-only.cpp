// norm-center-only and norm-scale-only: the two halves of layer norm, each line by line, then one after the other.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 4;
const Numbers x{4, 2, 3, 7}, gain{3, 1, 1, 2}, g{1, -1, 0, 1};
const Numbers g_hat = each(n, [](int64_t i) { return g(i) * gain(i); });
const double mu = sum(n, [](int64_t k) { return x(k); }) / n;

void given(Derivation& d) {
  d.given("x", x);
  d.given("γ", gain);
  d.given("g", g);
}

void center_only() {
  Derivation d("norm-center-only");
  given(d);
  const Numbers bias = d.given("β", {1, 0, 0, -1});
  const Numbers centred = each(n, [&](int64_t i) { return x(i) - mu; });
  d.step("1", "x - μ", centred);
  d.step("2", "y", each(n, [&](int64_t i) { return centred(i) * gain(i) + bias(i); }));
  d.step("3", "dL/dβ", g);
  d.step("4", "dL/dγ", each(n, [&](int64_t i) { return g(i) * centred(i); }));
  d.step("5", "ĝ", g_hat);
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * (delta(i, j) - 1.0 / n); }); }));
  const double mean_g = sum(n, [&](int64_t i) { return g_hat(i); }) / n;
  const Numbers dx = each(n, [&](int64_t j) { return g_hat(j) - mean_g; });
  d.step("7", "dL/dx", dx);
  d.law("8", "Σ dL/dx", sum(n, [&](int64_t j) { return dx(j); }), 0);

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::center_only_norm(t, gain, bias); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::center_only_norm(x, t, bias); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::center_only_norm(x, gain, t); }, bias, g);
}

void scale_only() {
  Derivation d("norm-scale-only");
  given(d);
  const double eps = d.given("ε", 0.5)(0);
  const double r = std::sqrt(sum(n, [&](int64_t k) { return (x(k) - mu) * (x(k) - mu); }) / n + eps);
  d.step("1", "r", r);
  d.step("2", "y", each(n, [&](int64_t i) { return x(i) / r * gain(i); }));
  d.step("3", "dL/dγ", each(n, [&](int64_t i) { return g(i) * x(i) / r; }));
  d.step("4", "ĝ", g_hat);
  const Numbers dr = each(n, [&](int64_t j) { return (x(j) - mu) / (n * r); });
  d.step("5", "∂r/∂x", dr);
  d.step("6", "dL/dx",
         each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * (delta(i, j) / r - x(i) / (r * r) * dr(j)); }); }));
  const double m = sum(n, [&](int64_t i) { return g_hat(i) * x(i); }) / n;
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return (g_hat(j) - (x(j) - mu) * m / (r * r)) / r; }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::scale_only_norm(t, gain, eps); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::scale_only_norm(x, t, eps); }, gain, g);

  // Back through both halves: the row c that the second half gets is centred.
  const Numbers c = each(n, [&](int64_t i) { return x(i) - mu; });
  const double m_c = sum(n, [&](int64_t i) { return g_hat(i) * c(i); }) / n;
  const Numbers dc = each(n, [&](int64_t j) { return (g_hat(j) - c(j) * m_c / (r * r)) / r; });
  d.step("8", "dL/dc", dc);
  const double mean_dc = sum(n, [&](int64_t i) { return dc(i); }) / n;
  d.step("9", "dL/dx of both", each(n, [&](int64_t j) { return dc(j) - mean_dc; }));
  d.gradient("dL/dx of both", [&](const Tensor& t) { return nn::layer_norm(t, {n}, gain, {}, eps); }, x, g);
}

}  // namespace

int main() {
  center_only();
  scale_only();
  return verdict();
}
