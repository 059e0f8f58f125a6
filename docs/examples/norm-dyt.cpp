// norm-dyt: tanh in the place of a norm, and its gradients.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("norm-dyt");
  const Numbers x = d.given("x", {-2, 0, 1, 4});
  const Numbers slope = d.given("α", 0.5);
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers bias = d.given("β", {0, 1, 0, 0});
  const Numbers g = d.given("g", {1, 2, 1, -1});
  constexpr int64_t n = 4;
  const double alpha = slope(0);

  d.step("1", "z", each(n, [&](int64_t i) { return alpha * x(i); }));
  const Numbers t = each(n, [&](int64_t i) { return std::tanh(alpha * x(i)); });
  d.step("2", "tanh(z)", t);
  d.step("3", "y", each(n, [&](int64_t i) { return gain(i) * t(i) + bias(i); }));
  d.step("4", "dL/dβ", g);
  d.step("5", "dL/dγ", each(n, [&](int64_t i) { return g(i) * t(i); }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  d.step("6", "ĝ", g_hat);
  const Numbers dz = each(n, [&](int64_t i) { return g_hat(i) * (1 - t(i) * t(i)); });
  d.step("7", "dL/dz", dz);
  d.step("8", "dL/dx", each(n, [&](int64_t i) { return alpha * dz(i); }));
  d.step("9", "dL/dα", sum(n, [&](int64_t i) { return dz(i) * x(i); }));

  d.gradient("dL/dx", [&](const Tensor& v) { return nn::dynamic_tanh(v, slope, gain, bias); }, x, g);
  d.gradient("dL/dα", [&](const Tensor& v) { return nn::dynamic_tanh(x, v, gain, bias); }, slope, g);
  d.gradient("dL/dγ", [&](const Tensor& v) { return nn::dynamic_tanh(x, slope, v, bias); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& v) { return nn::dynamic_tanh(x, slope, gain, v); }, bias, g);
  return verdict();
}
