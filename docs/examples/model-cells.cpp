// model-elman, model-lstm, model-gru: one unit, so that every number of a step and of its gradient is one number.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"
#include "nn/recurrent/cells.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

// In place of a parameter, a tensor that may be on the tape.
void put(Tensor& parameter, const Tensor& value) { parameter = value; }

// Three steps of h' = tanh(w x + u h + b), from h = 0.
void elman() {
  Derivation d("model-elman");
  const double w = 1, u = 0.5, b = 0;
  constexpr int64_t T = 3;
  const Numbers x = d.given("x", {std::log(2), std::log(3) - 0.3, std::log(2) - 0.4});
  d.given("w", w);
  d.given("u", u);
  const Numbers g = d.given("g", {1, -1, 1});

  std::vector<double> a(T), h(T);
  const auto at = [](int64_t t) { return static_cast<std::size_t>(t); };
  const auto before = [&](int64_t t) { return t == 0 ? 0.0 : h[at(t - 1)]; };
  for (int64_t t = 0; t < T; ++t) {
    a[at(t)] = w * x(t) + u * before(t) + b;
    h[at(t)] = std::tanh(a[at(t)]);
  }
  d.step("1", "a", Numbers({T}, a));
  d.step("2", "h", Numbers({T}, h));
  const Numbers slope = each(T, [&](int64_t t) { return 1 - h[at(t)] * h[at(t)]; });
  d.step("3", "slope", slope);
  const Numbers J = each(T, [&](int64_t t) { return slope(t) * u; });
  d.step("4", "J", J);
  const double dh3 = g(2);
  d.step("5", "dL/dh_3", dh3);
  const double dh2 = g(1) + dh3 * J(2);
  d.step("6", "dL/dh_2", dh2);
  const double dh1 = g(0) + dh2 * J(1);
  d.step("7", "dL/dh_1", dh1);
  d.step("8", "dL/dh_1", g(0) + g(1) * J(1) + g(2) * J(2) * J(1));
  const Numbers dh{dh1, dh2, dh3};
  const Numbers da = each(T, [&](int64_t t) { return dh(t) * slope(t); });
  d.step("9", "dL/da", da);
  d.step("10", "dL/dw", sum(T, [&](int64_t t) { return da(t) * x(t); }));
  d.step("11", "dL/du", sum(T, [&](int64_t t) { return da(t) * before(t); }));
  d.step("12", "dL/db", sum(T, [&](int64_t t) { return da(t); }));
  d.step("13", "dL/dx", each(T, [&](int64_t t) { return da(t) * w; }));
  d.step("14", "∂h_3/∂h_0", J(2) * J(1) * J(0));
  d.step("15", "bound after 20 steps", std::pow(u, 20));

  const auto run = [&](const Tensor& input, const Tensor& wt, const Tensor& ut, const Tensor& bt, const Tensor& h0) {
    nn::Elman layer(1, 1);
    put(layer.weight_ih, reshape(wt, {1, 1}));
    put(layer.weight_hh, reshape(ut, {1, 1}));
    put(layer.bias_ih, reshape(bt, {1}));
    put(layer.bias_hh, zeros({1}, DType::f64));
    return reshape(layer(reshape(input, {1, T, 1}), {reshape(h0, {1, 1})}).y, {T});
  };
  const Numbers nothing(0.0), w_(w), u_(u), b_(b);
  d.gradient("dL/dw", [&](const Tensor& t) { return run(x, t, u_, b_, nothing); }, w_, g);
  d.gradient("dL/du", [&](const Tensor& t) { return run(x, w_, t, b_, nothing); }, u_, g);
  d.gradient("dL/db", [&](const Tensor& t) { return run(x, w_, u_, t, nothing); }, b_, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return run(t, w_, u_, b_, nothing); }, x, g);
  d.gradient("∂h_3/∂h_0", [&](const Tensor& t) { return run(x, w_, u_, b_, t); }, nothing, {0, 0, 1});
}

// Sets a layer's parameters to columns: gates along the first axis, one unit, one input.
template <typename L> void set(L& layer, const Tensor& w, const Tensor& u, const Tensor& b) {
  const int64_t gates = b.numel();
  put(layer.weight_ih, reshape(w, {gates, 1}));
  put(layer.weight_hh, reshape(u, {gates, 1}));
  put(layer.bias_ih, reshape(b, {gates}));
  put(layer.bias_hh, zeros({gates}, DType::f64));
}

void lstm() {
  Derivation d("model-lstm");
  const double x = d.given("x", 1)(0), h = d.given("h", 2)(0), c = d.given("c", 0.4)(0);
  const Numbers w = d.given("W", {1, 1, 0, 2});
  const Numbers u = d.given("U", {-0.5, 0.5, 0, -0.5});
  const Numbers b = d.given("b", {0, std::log(3) - 2, std::log(2), std::log(4) - 1});
  const double g = d.given("g", 1)(0), g_c = d.given("g_c", 0.5)(0);

  const Numbers a = each(4, [&](int64_t k) { return w(k) * x + u(k) * h + b(k); });
  d.step("h1", "a", a);
  const double in = sigmoid(a(0)), forget = sigmoid(a(1)), proposed = std::tanh(a(2)), out = sigmoid(a(3));
  d.step("h2", "gates", {in, forget, proposed, out});
  const double cell = forget * c + in * proposed;
  d.step("h3", "c'", cell);
  const double squashed = std::tanh(cell);
  d.step("h4", "tanh c'", squashed);
  d.step("h5", "h'", out * squashed);

  d.step("1", "dL/do", g * squashed);
  d.step("2", "along h'", g * out * (1 - squashed * squashed));
  const double dcell = g_c + g * out * (1 - squashed * squashed);
  d.step("3", "dL/dc'", dcell);
  d.step("4", "dL/df", dcell * c);
  d.step("5", "dL/di", dcell * proposed);
  d.step("6", "dL/dn", dcell * in);
  d.step("7", "dL/dc", dcell * forget);
  const double da_i = dcell * proposed * in * (1 - in), da_f = dcell * c * forget * (1 - forget);
  const double da_n = dcell * in * (1 - proposed * proposed), da_o = g * squashed * out * (1 - out);
  d.step("8", "dL/da_i", da_i);
  d.step("9", "dL/da_f", da_f);
  d.step("10", "dL/da_n", da_n);
  d.step("11", "dL/da_o", da_o);
  const Numbers da{da_i, da_f, da_n, da_o};
  d.step("12", "dL/dW", each(4, [&](int64_t k) { return da(k) * x; }));
  d.step("13", "dL/dU", each(4, [&](int64_t k) { return da(k) * h; }));
  d.step("14", "dL/db", da);
  d.step("15", "dL/dx", sum(4, [&](int64_t k) { return w(k) * da(k); }));
  d.step("16", "dL/dh", sum(4, [&](int64_t k) { return u(k) * da(k); }));
  d.step("17", "0.75 to the 20th", std::pow(0.75, 20));
  d.step("18", "0.99 to the 20th", std::pow(0.99, 20));

  const Numbers both{g, g_c}, x_(x), h_(h), c_(c);
  const auto run = [&](const Tensor& tx, const Tensor& th, const Tensor& tc, const Tensor& tw, const Tensor& tu, const Tensor& tb) {
    nn::LSTM layer(1, 1);
    set(layer, tw, tu, tb);
    const nn::RecurrentOutput result = layer(reshape(tx, {1, 1, 1}), {reshape(th, {1, 1}), reshape(tc, {1, 1})});
    return cat({reshape(result.y, {1}), reshape(result.last.cell, {1})}, 0);
  };
  d.gradient("dL/dc", [&](const Tensor& t) { return run(x_, h_, t, w, u, b); }, c_, both);
  d.gradient("dL/dW", [&](const Tensor& t) { return run(x_, h_, c_, t, u, b); }, w, both);
  d.gradient("dL/dU", [&](const Tensor& t) { return run(x_, h_, c_, w, t, b); }, u, both);
  d.gradient("dL/db", [&](const Tensor& t) { return run(x_, h_, c_, w, u, t); }, b, both);
  d.gradient("dL/dx", [&](const Tensor& t) { return run(t, h_, c_, w, u, b); }, x_, both);
  d.gradient("dL/dh", [&](const Tensor& t) { return run(x_, t, c_, w, u, b); }, h_, both);
}

void gru() {
  Derivation d("model-gru");
  const double x = d.given("x", 1)(0), h = d.given("h", 2)(0);
  const Numbers w = d.given("W", {0, std::log(3) - 2, std::log(2) - 1});
  const Numbers u = d.given("U", {0, 1, 1});
  const double g = d.given("g", 1)(0);

  const Numbers a = each(3, [&](int64_t k) { return w(k) * x; }), c = each(3, [&](int64_t k) { return u(k) * h; });
  const double r = sigmoid(a(0) + c(0)), z = sigmoid(a(1) + c(1)), n = std::tanh(a(2) + r * c(2));
  d.step("1", "gates", {r, z, n});
  d.step("2", "h'", (1 - z) * n + z * h);
  d.step("3", "dL/dz", g * (h - n));
  d.step("4", "dL/dn", g * (1 - z));
  const double s_n = g * (1 - z) * (1 - n * n);
  d.step("5", "dL/da_n", s_n);
  d.step("6", "dL/dr", s_n * c(2));
  const double s_r = s_n * c(2) * r * (1 - r), s_z = g * (h - n) * z * (1 - z);
  d.step("7", "dL/da_r", s_r);
  d.step("8", "dL/da_z", s_z);
  d.step("9", "dL/dW", each(3, [&](int64_t k) { return Numbers{s_r, s_z, s_n}(k)*x; }));
  d.step("10", "dL/dU", each(3, [&](int64_t k) { return Numbers{s_r, s_z, s_n * r}(k)*h; }));
  d.step("11", "dL/dh", g * z + u(0) * s_r + u(1) * s_z + u(2) * r * s_n);

  const Numbers seed{g}, zero{0, 0, 0}, h_(h);
  const auto run = [&](const Tensor& th, const Tensor& tw, const Tensor& tu) {
    nn::GRU layer(1, 1);
    set(layer, tw, tu, zero);
    return reshape(layer(reshape(Numbers(x).tensor(), {1, 1, 1}), {reshape(th, {1, 1})}).y, {1});
  };
  d.gradient("dL/dW", [&](const Tensor& t) { return run(h_, t, u); }, w, seed);
  d.gradient("dL/dU", [&](const Tensor& t) { return run(h_, w, t); }, u, seed);
  d.gradient("dL/dh", [&](const Tensor& t) { return run(t, w, u); }, h_, seed);
}

}  // namespace

int main() {
  elman();
  lstm();
  gru();
  return verdict();
}
