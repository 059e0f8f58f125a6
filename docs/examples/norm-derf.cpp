// norm-derf: erf in the place of a norm, and its gradients.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("norm-derf");
  const Numbers x = d.given("x", {-2, 0, 1, 4});
  const Numbers slope = d.given("α", 0.5), shift = d.given("s", 0.5);
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers bias = d.given("β", {0, 1, 0, 0});
  const Numbers g = d.given("g", {1, 2, 1, -1});
  constexpr int64_t n = 4;

  const Numbers z = each(n, [&](int64_t i) { return slope(0) * x(i) + shift(0); });
  d.step("1", "z", z);
  d.step("2", "erf(z)", each(n, [&](int64_t i) { return std::erf(z(i)); }));
  d.step("3", "y", each(n, [&](int64_t i) { return gain(i) * std::erf(z(i)) + bias(i); }));
  d.step("4", "dL/dβ", g);
  d.step("5", "dL/dγ", each(n, [&](int64_t i) { return g(i) * std::erf(z(i)); }));
  const Numbers bell = each(n, [&](int64_t i) { return 2 / std::sqrt(std::acos(-1.0)) * std::exp(-z(i) * z(i)); });
  d.step("6", "φ(z)", bell);
  const Numbers dz = each(n, [&](int64_t i) { return g(i) * gain(i) * bell(i); });
  d.step("7", "dL/dz", dz);
  d.step("8", "dL/dx", each(n, [&](int64_t i) { return slope(0) * dz(i); }));
  d.step("9", "dL/dα", sum(n, [&](int64_t i) { return dz(i) * x(i); }));
  d.step("10", "dL/ds", sum(n, [&](int64_t i) { return dz(i); }));
  d.step("11", "slopes at 3, of erf and of tanh", {2 / std::sqrt(std::acos(-1.0)) * std::exp(-9.0), 1 - std::pow(std::tanh(3), 2)});

  d.gradient("dL/dx", [&](const Tensor& v) { return nn::dynamic_erf(v, slope, shift, gain, bias); }, x, g);
  d.gradient("dL/dα", [&](const Tensor& v) { return nn::dynamic_erf(x, v, shift, gain, bias); }, slope, g);
  d.gradient("dL/ds", [&](const Tensor& v) { return nn::dynamic_erf(x, slope, v, gain, bias); }, shift, g);
  d.gradient("dL/dγ", [&](const Tensor& v) { return nn::dynamic_erf(x, slope, shift, v, bias); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& v) { return nn::dynamic_erf(x, slope, shift, gain, v); }, bias, g);
  return verdict();
}
