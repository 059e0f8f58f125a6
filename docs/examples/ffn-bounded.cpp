// ffn-swiglu-beta, ffn-swiglu-clamped and ffn-situ: gates with a β and with bounds, unit by unit.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid_at(double x) { return 1 / (1 + std::exp(-x)); }
double swish(double a, double beta) { return a * sigmoid_at(beta * a); }
double swish_slope(double a, double beta) {
  const double s = sigmoid_at(beta * a);
  return s + beta * a * s * (1 - s);
}

void swiglu_beta() {
  Derivation d("ffn-swiglu-beta");
  const double half = std::log(3) / 2;
  const Numbers a = d.given("a", {half, -half});
  const Numbers u = d.given("u", {4, 2});
  const Numbers beta = d.given("β", 2);
  const Numbers g = d.given("dL/dh", {1, 2});
  constexpr int64_t n = 2;

  const Numbers s = each(n, [&](int64_t i) { return sigmoid_at(beta(0) * a(i)); });
  d.step("1", "s", s);
  d.step("2", "f", each(n, [&](int64_t i) { return a(i) * s(i); }));
  d.step("3", "h", each(n, [&](int64_t i) { return a(i) * s(i) * u(i); }));
  d.step("4", "dL/du", each(n, [&](int64_t i) { return g(i) * a(i) * s(i); }));
  d.step("5", "df/da", each(n, [&](int64_t i) { return s(i) + beta(0) * a(i) * s(i) * (1 - s(i)); }));
  d.step("6", "dL/da", each(n, [&](int64_t i) { return g(i) * u(i) * (s(i) + beta(0) * a(i) * s(i) * (1 - s(i))); }));
  d.step("7", "∂f/∂β", each(n, [&](int64_t i) { return a(i) * a(i) * s(i) * (1 - s(i)); }));
  d.step("8", "dL/dβ", sum(n, [&](int64_t i) { return g(i) * u(i) * a(i) * a(i) * s(i) * (1 - s(i)); }));
  d.step("9", "f", each(n, [&](int64_t i) { return swish(beta(0) * a(i), 1) / beta(0); }));

  d.gradient("dL/da", [&](const Tensor& t) { return nn::swish_gate(t, u, beta); }, a, g);
  d.gradient("dL/du", [&](const Tensor& t) { return nn::swish_gate(a, t, beta); }, u, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::swish_gate(a, u, t); }, beta, g);
}

void clamped() {
  Derivation d("ffn-swiglu-clamped");
  const Numbers a = d.given("a", {-3, std::log(3), 5});
  const Numbers u = d.given("u", {-4, 1, 3});
  const double limit = 2;
  d.given("L", limit);
  const Numbers g = d.given("dL/dh", {1, -1, 2});
  constexpr int64_t n = 3;

  const Numbers low = each(n, [&](int64_t i) { return std::min(a(i), limit); });
  d.step("1", "ā", low);
  const Numbers cut = each(n, [&](int64_t i) { return std::min(std::max(u(i), -limit), limit); });
  d.step("2", "ū", cut);
  d.step("3", "f", each(n, [&](int64_t i) { return swish(low(i), 1); }));
  d.step("4", "h", each(n, [&](int64_t i) { return swish(low(i), 1) * cut(i); }));
  const auto inside = [&](int64_t i) { return std::abs(u(i)) < limit ? 1.0 : 0.0; };
  const auto below = [&](int64_t i) { return a(i) < limit ? 1.0 : 0.0; };
  d.step("5", "dL/du", each(n, [&](int64_t i) { return g(i) * swish(low(i), 1) * inside(i); }));
  d.step("6", "df/da", each(n, [&](int64_t i) { return swish_slope(low(i), 1) * below(i); }));
  d.step("7", "dL/da", each(n, [&](int64_t i) { return g(i) * cut(i) * swish_slope(low(i), 1) * below(i); }));

  const auto unit = [](const nn::GatedUnit& kind, const Tensor& gate, const Tensor& value) {
    return nn::gate(kind.activation, gate, kind.value(value));
  };
  const nn::GatedUnit deepseek = nn::clamped_swiglu(limit), oai = nn::swiglu_oai(limit);
  d.gradient("dL/da", [&](const Tensor& t) { return unit(deepseek, t, u); }, a, g);
  d.gradient("dL/du", [&](const Tensor& t) { return unit(deepseek, a, t); }, u, g);

  // gpt-oss
  d.step("o1", "f of gpt-oss", each(n, [&](int64_t i) { return swish(low(i), 1.702); }));
  d.step("o2", "h of gpt-oss", each(n, [&](int64_t i) { return swish(low(i), 1.702) * (cut(i) + 1); }));
  d.step("o3", "dL/du of gpt-oss", each(n, [&](int64_t i) { return g(i) * swish(low(i), 1.702) * inside(i); }));
  d.step("o4", "dL/da of gpt-oss", each(n, [&](int64_t i) { return g(i) * (cut(i) + 1) * swish_slope(low(i), 1.702) * below(i); }));
  d.gradient("dL/da of gpt-oss", [&](const Tensor& t) { return unit(oai, t, u); }, a, g);
  d.gradient("dL/du of gpt-oss", [&](const Tensor& t) { return unit(oai, a, t); }, u, g);
}

void situ() {
  Derivation d("ffn-situ");
  const Numbers a = d.given("a", {-std::log(3), std::log(3), 8});
  const Numbers u = d.given("u", {10, -50, 25});
  const double beta = 4, value_beta = 25;
  d.given("β", beta);
  d.given("β'", value_beta);
  const Numbers g = d.given("dL/dh", {1, -1, 2});
  constexpr int64_t n = 3;

  const Numbers t = each(n, [&](int64_t i) { return std::tanh(a(i) / beta); });
  d.step("1", "t", t);
  const Numbers s = each(n, [&](int64_t i) { return sigmoid_at(a(i)); });
  d.step("2", "s", s);
  const Numbers f = each(n, [&](int64_t i) { return beta * t(i) * s(i); });
  d.step("3", "f", f);
  const Numbers v = each(n, [&](int64_t i) { return value_beta * std::tanh(u(i) / value_beta); });
  d.step("4", "v", v);
  d.step("5", "h", each(n, [&](int64_t i) { return f(i) * v(i); }));
  const Numbers df = each(n, [&](int64_t i) { return (1 - t(i) * t(i)) * s(i) + beta * t(i) * s(i) * (1 - s(i)); });
  d.step("6", "df/da", df);
  const Numbers dv = each(n, [&](int64_t i) { return 1 - v(i) * v(i) / (value_beta * value_beta); });
  d.step("7", "dv/du", dv);
  d.step("8", "dL/da", each(n, [&](int64_t i) { return g(i) * v(i) * df(i); }));
  d.step("9", "dL/du", each(n, [&](int64_t i) { return g(i) * f(i) * dv(i); }));
  d.step("10", "f and v at 1000, and SiLU", {beta * std::tanh(250) * sigmoid_at(1000), value_beta * std::tanh(40), swish(1000, 1)});

  const nn::GatedUnit kind = nn::situ();
  const auto unit = [&](const Tensor& gate, const Tensor& value) { return nn::gate(kind.activation, gate, kind.value(value)); };
  d.gradient("dL/da", [&](const Tensor& x) { return unit(x, u); }, a, g);
  d.gradient("dL/du", [&](const Tensor& x) { return unit(a, x); }, u, g);
}

}  // namespace

int main() {
  swiglu_beta();
  clamped();
  situ();
  return verdict();
}
