// ffn-swiglu and its relatives ffn-glu, ffn-geglu, ffn-reglu, ffn-bilinear: three matrices and a gate, on two tokens.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t tokens = 2, d_model = 2, d_ff = 3;

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }
double silu(double a) { return a * sigmoid(a); }
double normal(double a) { return std::erfc(-a / std::sqrt(2)) / 2; }                     // Φ
double bell(double a) { return std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0)); }  // φ = Φ'

// As GatedFeedForward has it.
Tensor layer(const nn::Activation& f, const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& w3) {
  return nn::linear(nn::gate(f, nn::linear(x, w1, b1), nn::linear(x, w3)), w2);
}

void swiglu() {
  Derivation d("ffn-swiglu");
  const double log3 = std::log(3);
  const Numbers x = d.given("x", {{1, 1}, {1, -1}});
  const Numbers w1 = d.given("W₁", {{0, log3}, {log3, -log3}, {log3, log3}});
  const Numbers w3 = d.given("W₃", {{1, 3}, {3, -1}, {1, -1}});
  const Numbers w2 = d.given("W₂", {{1, 2, 1}, {-1, 1, 2}});
  const Numbers g = d.given("g", {{1, -1}, {2, 1}});

  const Numbers a = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * x(t, i); }); });
  const Numbers u = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w3(k, i) * x(t, i); }); });
  const Numbers h = each(tokens, d_ff, [&](int64_t t, int64_t k) { return silu(a(t, k)) * u(t, k); });
  const Numbers y = each(tokens, d_model, [&](int64_t t, int64_t j) { return sum(d_ff, [&](int64_t k) { return w2(j, k) * h(t, k); }); });
  d.step("h1", "a", a);
  d.step("h2", "sigmoid(a)", each(tokens, d_ff, [&](int64_t t, int64_t k) { return sigmoid(a(t, k)); }));
  d.step("h3", "silu(a)", each(tokens, d_ff, [&](int64_t t, int64_t k) { return silu(a(t, k)); }));
  d.step("h4", "u", u);
  d.step("h5", "h", h);
  d.step("h6", "y", y);
  d.law("h7", "y of the library", layer(nn::act::silu, x, w1, {}, w2, w3), y);

  d.step("1", "a", a);
  d.step("2", "u", u);
  d.step("3", "h", h);
  d.step("4", "y", y);
  const Numbers dw2 = each(d_model, d_ff, [&](int64_t j, int64_t k) { return sum(tokens, [&](int64_t t) { return g(t, j) * h(t, k); }); });
  d.step("5", "dL/dW₂", dw2);
  const Numbers dh = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t j) { return g(t, j) * w2(j, k); }); });
  d.step("6", "dL/dh", dh);
  const Numbers du = each(tokens, d_ff, [&](int64_t t, int64_t k) { return dh(t, k) * silu(a(t, k)); });
  d.step("7", "dL/du", du);
  const Numbers slope = each(tokens, d_ff, [&](int64_t t, int64_t k) {
    const double s = sigmoid(a(t, k));
    return s + a(t, k) * s * (1 - s);
  });
  d.step("8", "silu'(a)", slope);
  const Numbers da = each(tokens, d_ff, [&](int64_t t, int64_t k) { return dh(t, k) * u(t, k) * slope(t, k); });
  d.step("9", "dL/da", da);
  const Numbers dw3 = each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return du(t, k) * x(t, i); }); });
  d.step("10", "dL/dW₃", dw3);
  d.step("11", "dL/dW₁",
         each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return da(t, k) * x(t, i); }); }));
  const Numbers by_value =
      each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(d_ff, [&](int64_t k) { return du(t, k) * w3(k, i); }); });
  const Numbers by_gate =
      each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(d_ff, [&](int64_t k) { return da(t, k) * w1(k, i); }); });
  d.step("12", "by the value", by_value);
  d.step("13", "by the gate", by_gate);
  d.step("14", "dL/dx", each(tokens, d_model, [&](int64_t t, int64_t i) { return by_value(t, i) + by_gate(t, i); }));
  const Numbers of_w2 = each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t j) { return w2(j, k) * dw2(j, k); }); });
  const Numbers of_w3 = each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t i) { return w3(k, i) * dw3(k, i); }); });
  d.law("15", "of each unit, W₂ and W₃", of_w3, of_w2);

  d.gradient("dL/dx", [&](const Tensor& t) { return layer(nn::act::silu, t, w1, {}, w2, w3); }, x, g);
  d.gradient("dL/dW₁", [&](const Tensor& t) { return layer(nn::act::silu, x, t, {}, w2, w3); }, w1, g);
  d.gradient("dL/dW₂", [&](const Tensor& t) { return layer(nn::act::silu, x, w1, {}, t, w3); }, w2, g);
  d.gradient("dL/dW₃", [&](const Tensor& t) { return layer(nn::act::silu, x, w1, {}, w2, t); }, w3, g);
}

// The same x, W₂, W₃ and g; W₁, b₁, f and its slope are what changes.
struct Other {
  std::string id;
  std::function<double(double)> f, slope;
  nn::Activation activation;
  Numbers w1, b1;
  bool bias = false;
  bool by_hand = false;  // the value line by line, too
  double degree = 0;     // y(c x) = c^degree y(x) for c > 0, where there is such a degree
};

void another(const Other& o) {
  Derivation d(o.id);
  const Numbers x{{1, 1}, {1, -1}}, w3{{1, 3}, {3, -1}, {1, -1}}, w2{{1, 2, 1}, {-1, 1, 2}}, g{{1, -1}, {2, 1}};
  const Numbers w1 = d.given("W₁", o.w1), b1 = o.bias ? d.given("b₁", o.b1) : o.b1;
  const Numbers a =
      each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * x(t, i); }) + b1(k); });
  const Numbers u = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w3(k, i) * x(t, i); }); });
  const Numbers h = each(tokens, d_ff, [&](int64_t t, int64_t k) { return o.f(a(t, k)) * u(t, k); });
  const Numbers y = each(tokens, d_model, [&](int64_t t, int64_t j) { return sum(d_ff, [&](int64_t k) { return w2(j, k) * h(t, k); }); });
  const Tensor bias = o.bias ? b1.tensor() : Tensor();
  const Numbers gates = each(tokens, d_ff, [&](int64_t t, int64_t k) { return o.f(a(t, k)); });
  if (o.by_hand) {
    d.step("h1", "a", a);
    d.step("h2", "f(a)", gates);
    d.step("h3", "u", u);
    d.step("h4", "h", h);
    d.step("h5", "y", y);
    d.law("h6", "y of the library", layer(o.activation, x, w1, bias, w2, w3), y);
  }
  d.step("1", "a", a);
  d.step("2", "f(a)", gates);
  d.step("3", "y", y);
  const Numbers dh = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t j) { return g(t, j) * w2(j, k); }); });
  d.step("4", "f'(a)", each(tokens, d_ff, [&](int64_t t, int64_t k) { return o.slope(a(t, k)); }));
  const Numbers du = each(tokens, d_ff, [&](int64_t t, int64_t k) { return dh(t, k) * o.f(a(t, k)); });
  const Numbers da = each(tokens, d_ff, [&](int64_t t, int64_t k) { return dh(t, k) * u(t, k) * o.slope(a(t, k)); });
  d.step("5", "dL/du", du);
  d.step("6", "dL/da", da);
  const Numbers dx = each(tokens, d_model, [&](int64_t t, int64_t i) {
    return sum(d_ff, [&](int64_t k) { return du(t, k) * w3(k, i) + da(t, k) * w1(k, i); });
  });
  d.step("7", "dL/dx", dx);
  d.step("8", "dL/dW₁",
         each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return da(t, k) * x(t, i); }); }));
  d.step("9", "dL/dW₂",
         each(d_model, d_ff, [&](int64_t j, int64_t k) { return sum(tokens, [&](int64_t t) { return g(t, j) * h(t, k); }); }));
  d.step("10", "dL/dW₃",
         each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return du(t, k) * x(t, i); }); }));
  if (o.bias) {
    d.step("11", "dL/db₁", each(d_ff, [&](int64_t k) { return sum(tokens, [&](int64_t t) { return da(t, k); }); }));
  }
  if (o.degree > 0) {
    const double power = std::pow(3, o.degree);
    const Tensor tripled = each(tokens, d_model, [&](int64_t t, int64_t i) { return 3 * x(t, i); });
    d.law("11", "y(3x)", layer(o.activation, tripled, w1, bias, w2, w3),
          each(tokens, d_model, [&](int64_t t, int64_t j) { return power * y(t, j); }));
    d.law("12", "of each token, Σ x ⊙ dL/dx",
          each(tokens, [&](int64_t t) { return sum(d_model, [&](int64_t i) { return x(t, i) * dx(t, i); }); }),
          each(tokens, [&](int64_t t) { return o.degree * sum(d_model, [&](int64_t j) { return g(t, j) * y(t, j); }); }));
  }
  d.gradient("dL/dx", [&](const Tensor& t) { return layer(o.activation, t, w1, bias, w2, w3); }, x, g);
  d.gradient("dL/dW₁", [&](const Tensor& t) { return layer(o.activation, x, t, bias, w2, w3); }, w1, g);
  d.gradient("dL/dW₂", [&](const Tensor& t) { return layer(o.activation, x, w1, bias, t, w3); }, w2, g);
  d.gradient("dL/dW₃", [&](const Tensor& t) { return layer(o.activation, x, w1, bias, w2, t); }, w3, g);
  if (o.bias) d.gradient("dL/db₁", [&](const Tensor& t) { return layer(o.activation, x, w1, t, w2, w3); }, b1, g);
}

}  // namespace

int main() {
  const double log3 = std::log(3);
  const Numbers none{0, 0, 0}, whole{{0, 1}, {2, -1}, {1, 2}};
  swiglu();
  another({.id = "ffn-glu",
           .f = [](double a) { return sigmoid(a); },
           .slope = [](double a) { return sigmoid(a) * (1 - sigmoid(a)); },
           .activation = nn::act::sigmoid,
           .w1 = Numbers{{log3, log3}, {log3, -log3}, {log3, log3}},
           .b1 = Numbers{-log3, 0, 0},
           .bias = true,
           .by_hand = true});
  another({.id = "ffn-geglu", .f = [](double a) { return a * normal(a); }, .slope = [](double a) {
    return normal(a) + a * bell(a);
  }, .activation = nn::act::gelu, .w1 = whole, .b1 = none, .by_hand = true});
  another({.id = "ffn-reglu", .f = [](double a) { return std::max(a, 0.0); }, .slope = [](double a) {
    return a > 0 ? 1 : 0;
  }, .activation = nn::act::relu, .w1 = whole, .b1 = none, .degree = 2});
  another({.id = "ffn-bilinear", .f = [](double a) { return a; }, .slope = [](double) {
    return 1;
  }, .activation = nn::act::identity, .w1 = whole, .b1 = none, .degree = 2});
  return verdict();
}
