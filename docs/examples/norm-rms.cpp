// norm-rms and its relatives: the value and the gradient of RMSNorm, line by line, on four numbers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void rms_norm() {
  Derivation d("norm-rms");
  const Numbers x = d.given("x", {1, 2, 2, 4});
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;

  const double mean_square = sum(n, [&](int64_t k) { return x(k) * x(k); }) / n, r = std::sqrt(mean_square);
  d.step("h1", "mean(x²)", mean_square);
  d.step("h2", "r", r);
  d.step("h3", "x / r", each(n, [&](int64_t i) { return x(i) / r; }));
  d.step("h4", "y", each(n, [&](int64_t i) { return gain(i) * x(i) / r; }));
  d.law("h5", "‖x / r‖", std::sqrt(sum(n, [&](int64_t i) { return x(i) / r * x(i) / r; })), std::sqrt(n));

  d.step("1", "y", each(n, [&](int64_t i) { return gain(i) * x(i) / r; }));
  d.step("2", "dL/dγ", each(n, [&](int64_t i) { return g(i) * x(i) / r; }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  d.step("3", "ĝ", g_hat);
  d.step("4", "∂r/∂x", each(n, [&](int64_t j) { return x(j) / (n * r); }));
  d.step("5", "∂(x_1/r)/∂x", each(n, [&](int64_t j) { return delta(0, j) / r - x(0) / (r * r) * x(j) / (n * r); }));
  const auto jacobian = [&](int64_t i, int64_t j) { return delta(i, j) / r - x(i) * x(j) / (n * r * r * r); };
  d.step("6", "∂(x_1/r)/∂x", each(n, [&](int64_t j) { return jacobian(0, j); }));
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * jacobian(i, j); }); }));
  const double m = sum(n, [&](int64_t i) { return g_hat(i) * x(i); }) / n;
  d.step("8", "dL/dx", each(n, [&](int64_t j) { return g_hat(j) / r - x(j) / (r * r * r) * m; }));
  const Numbers dx = each(n, [&](int64_t j) { return (g_hat(j) - x(j) * m / (r * r)) / r; });
  d.step("9", "dL/dx", dx);
  d.law("10", "Σ x ⊙ dL/dx", sum(n, [&](int64_t j) { return x(j) * dx(j); }), 0);

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::rms_norm(t, gain, 0); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::rms_norm(x, t, 0); }, gain, g);
}

}  // namespace

int main() {
  rms_norm();
  return verdict();
}
