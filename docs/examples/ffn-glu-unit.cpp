// ffn-glu-unit, ffn-swiglu-unit, ffn-geglu-unit: a value times a gate, on two tokens.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t tokens = 2, d_model = 2, n = 2;

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

// The library's unit of [xW + b, xV + c], or of [xW, xV].
Tensor unit(const nn::Activation& f, const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c) {
  const Tensor value = matmul(x, w), gate = matmul(x, v);
  return nn::gated_unit(f, b.defined() ? cat({value + b, gate + c}, -1) : cat({value, gate}, -1));
}

void glu() {
  Derivation d("ffn-glu-unit");
  const double log3 = std::log(3);
  const Numbers x = d.given("x", {{1, 1}, {1, -1}});
  const Numbers w = d.given("W", {{1, 2}, {3, -1}}), b = d.given("b", {0, 1});
  const Numbers v = d.given("V", {{log3, log3}, {log3, -log3}}), c = d.given("c", {-log3, 0});
  const Numbers g = d.given("g", {{1, -1}, {2, 1}});

  const Numbers u =
      each(tokens, n, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return x(t, i) * w(i, k); }) + b(k); });
  const Numbers a =
      each(tokens, n, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return x(t, i) * v(i, k); }) + c(k); });
  const Numbers open = each(tokens, n, [&](int64_t t, int64_t k) { return sigmoid(a(t, k)); });
  const Numbers y = each(tokens, n, [&](int64_t t, int64_t k) { return u(t, k) * open(t, k); });
  d.step("h1", "u", u);
  d.step("h2", "a", a);
  d.step("h3", "sigmoid(a)", open);
  d.step("h4", "y", y);
  d.law("h5", "y of the library", unit(nn::act::sigmoid, x, w, b, v, c), y);
  const Numbers exchanged = each(tokens, n, [&](int64_t t, int64_t k) { return a(t, k) * sigmoid(u(t, k)); });
  const Tensor both = cat({u.tensor(), a.tensor()}, -1);
  d.law("h6", "y with the gate first", nn::gated_unit(nn::act::sigmoid, both, nn::GateHalf::first), exchanged);

  d.step("1", "y", y);
  const Numbers du = each(tokens, n, [&](int64_t t, int64_t k) { return g(t, k) * sigmoid(a(t, k)); });
  d.step("2", "dL/du", du);
  const Numbers slope = each(tokens, n, [&](int64_t t, int64_t k) { return open(t, k) * (1 - open(t, k)); });
  d.step("3", "sigmoid'(a)", slope);
  const Numbers da = each(tokens, n, [&](int64_t t, int64_t k) { return g(t, k) * u(t, k) * slope(t, k); });
  d.step("4", "dL/da", da);
  d.step("5", "dL/dW", each(d_model, n, [&](int64_t i, int64_t k) { return sum(tokens, [&](int64_t t) { return x(t, i) * du(t, k); }); }));
  d.step("6", "dL/db", each(n, [&](int64_t k) { return sum(tokens, [&](int64_t t) { return du(t, k); }); }));
  d.step("7", "dL/dV", each(d_model, n, [&](int64_t i, int64_t k) { return sum(tokens, [&](int64_t t) { return x(t, i) * da(t, k); }); }));
  d.step("8", "dL/dc", each(n, [&](int64_t k) { return sum(tokens, [&](int64_t t) { return da(t, k); }); }));
  const Numbers by_value =
      each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(n, [&](int64_t k) { return du(t, k) * w(i, k); }); });
  const Numbers by_gate =
      each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(n, [&](int64_t k) { return da(t, k) * v(i, k); }); });
  d.step("9", "by the value", by_value);
  d.step("10", "by the gate", by_gate);
  d.step("11", "dL/dx", each(tokens, d_model, [&](int64_t t, int64_t i) { return by_value(t, i) + by_gate(t, i); }));
  const Numbers ten_times = each(tokens, n, [&](int64_t t, int64_t k) { return 10 * u(t, k); });
  const Tensor moved = ten_times.tensor().set_requires_grad();
  d.law("12", "dL/du at 10 u", grad({nn::gate(nn::act::sigmoid, a, moved)}, {moved}, {.seeds = {g}})[0], du);

  d.gradient("dL/du", [&](const Tensor& t) { return nn::gate(nn::act::sigmoid, a, t); }, u, g);
  d.gradient("dL/da", [&](const Tensor& t) { return nn::gate(nn::act::sigmoid, t, u); }, a, g);
  d.gradient("dL/dW", [&](const Tensor& t) { return unit(nn::act::sigmoid, x, t, b, v, c); }, w, g);
  d.gradient("dL/db", [&](const Tensor& t) { return unit(nn::act::sigmoid, x, w, t, v, c); }, b, g);
  d.gradient("dL/dV", [&](const Tensor& t) { return unit(nn::act::sigmoid, x, w, b, t, c); }, v, g);
  d.gradient("dL/dc", [&](const Tensor& t) { return unit(nn::act::sigmoid, x, w, b, v, t); }, c, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return unit(nn::act::sigmoid, t, w, b, v, c); }, x, g);
}

// The same value u and gate a, without biases; f and its slope are all that changes.
using Function = std::function<double(double)>;
void another(const std::string& id, const Function& f, const Function& slope, const nn::Activation& activation) {
  Derivation d(id);
  const double log3 = std::log(3);
  const Numbers x = d.given("x", {{1, 1}, {1, -1}});
  const Numbers w = d.given("W", {{1, 3}, {3, -1}}), v = d.given("V", {{0, log3}, {log3, -log3}});
  const Numbers g = d.given("g", {{1, -1}, {2, 1}});
  const Numbers u = each(tokens, n, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return x(t, i) * w(i, k); }); });
  const Numbers a = each(tokens, n, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return x(t, i) * v(i, k); }); });
  d.step("1", "u", u);
  d.step("2", "a", a);
  d.step("3", "f(a)", each(tokens, n, [&](int64_t t, int64_t k) { return f(a(t, k)); }));
  d.step("4", "y", each(tokens, n, [&](int64_t t, int64_t k) { return u(t, k) * f(a(t, k)); }));
  d.step("5", "f'(a)", each(tokens, n, [&](int64_t t, int64_t k) { return slope(a(t, k)); }));
  const Numbers du = each(tokens, n, [&](int64_t t, int64_t k) { return g(t, k) * f(a(t, k)); });
  const Numbers da = each(tokens, n, [&](int64_t t, int64_t k) { return g(t, k) * u(t, k) * slope(a(t, k)); });
  d.step("6", "dL/du", du);
  d.step("7", "dL/da", da);
  d.step("8", "dL/dx", each(tokens, d_model, [&](int64_t t, int64_t i) {
    return sum(n, [&](int64_t k) { return du(t, k) * w(i, k) + da(t, k) * v(i, k); });
  }));
  d.step("9", "dL/dW", each(d_model, n, [&](int64_t i, int64_t k) { return sum(tokens, [&](int64_t t) { return x(t, i) * du(t, k); }); }));
  d.step("10", "dL/dV", each(d_model, n, [&](int64_t i, int64_t k) { return sum(tokens, [&](int64_t t) { return x(t, i) * da(t, k); }); }));

  d.gradient("dL/du", [&](const Tensor& t) { return nn::gate(activation, a, t); }, u, g);
  d.gradient("dL/da", [&](const Tensor& t) { return nn::gate(activation, t, u); }, a, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return unit(activation, t, w, {}, v, {}); }, x, g);
  d.gradient("dL/dW", [&](const Tensor& t) { return unit(activation, x, t, {}, v, {}); }, w, g);
  d.gradient("dL/dV", [&](const Tensor& t) { return unit(activation, x, w, {}, t, {}); }, v, g);
}

double normal(double a) { return std::erfc(-a / std::sqrt(2)) / 2; }                     // Φ
double bell(double a) { return std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0)); }  // φ = Φ'

}  // namespace

int main() {
  glu();
  another("ffn-swiglu-unit", [](double a) { return a * sigmoid(a); }, [](double a) { return sigmoid(a) * (1 + a * (1 - sigmoid(a))); },
          nn::act::silu);
  another("ffn-geglu-unit", [](double a) { return a * normal(a); }, [](double a) { return normal(a) + a * bell(a); }, nn::act::gelu);
  return verdict();
}
