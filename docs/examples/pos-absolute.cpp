// pos-none, pos-learned, pos-rnn: attention that sees no order, a row for each position, a state that has read what came before.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// Attention of tokens that are one number each: q = x, k = x ln 2, v = x, so that exp of a score is a power of 2.
struct Attention {
  Numbers x;
  double weight(int64_t s, int64_t t) const {
    return std::pow(2, x(s) * x(t)) / sum(3, [&](int64_t k) { return std::pow(2, x(s) * x(k)); });
  }
  double y(int64_t s) const {
    return sum(3, [&](int64_t t) { return weight(s, t) * x(t); });
  }
  Numbers weights() const {
    return each(3, 3, [this](int64_t s, int64_t t) { return weight(s, t); });
  }
  Numbers outputs() const {
    return each(3, [this](int64_t s) { return y(s); });
  }
  double d_score(const Numbers& g, int64_t s, int64_t t) const { return g(s) * weight(s, t) * (x(t) - y(s)); }
  Numbers gradient(const Numbers& g) const {
    return each(3, [&](int64_t m) {
      const double as_value = sum(3, [&](int64_t s) { return g(s) * weight(s, m); });
      const double as_key = sum(3, [&](int64_t s) { return d_score(g, s, m) * std::log(2) * x(s); });
      const double as_query = sum(3, [&](int64_t t) { return d_score(g, m, t) * std::log(2) * x(t); });
      return as_value + as_key + as_query;
    });
  }
};

Tensor of_library(const Tensor& x) {
  const Tensor q = reshape(x, {1, 3, 1, 1});
  return reshape(nn::attention(q, q * std::log(2), q, {.scale = 1}), {3});
}

void none() {
  Derivation d("pos-none");
  const Attention there{d.given("x", {1, 0, 2})}, back{d.given("x reversed", {2, 0, 1})};
  const Numbers g = d.given("g", {1, 0, 7}), g_back{7, 0, 1};
  d.step("1", "α", there.weights());
  d.step("2", "α of x reversed", back.weights());
  d.law("3", "y", there.outputs(), of_library(there.x));
  d.law("4", "y of x reversed", back.outputs(), {there.y(2), there.y(1), there.y(0)});
  d.step("5", "dL/dscore", each(3, 3, [&](int64_t s, int64_t t) { return there.d_score(g, s, t); }));
  d.step("6", "dL/dx", there.gradient(g));
  const Numbers dx = there.gradient(g);
  d.law("7", "dL/dx of x reversed", back.gradient(g_back), {dx(2), dx(1), dx(0)});
  d.gradient("dL/dx", of_library, there.x, g);
  const Attention twice{{1, 2, 1}};
  d.step("8", "α of [1, 2, 1]", twice.weights());
  d.law("9", "y of [1, 2, 1]", twice.outputs(), of_library(twice.x));
}

void learned() {
  Derivation d("pos-learned");
  const Numbers e = d.given("E", {{1, 0}, {0, 2}, {3, 3}, {5, 8}});
  const Numbers x = d.given("x", {{1, 1}, {1, 1}, {2, 0}});
  const Numbers ids = d.given("p", {0, 2, 0});
  const Numbers g = d.given("g", {{1, 2}, {3, 4}, {10, 20}});
  const auto id = [&](int64_t t) { return static_cast<int64_t>(ids(t)); };
  const Numbers s = each(3, 4, [&](int64_t t, int64_t r) { return delta(id(t), r); });
  d.step("h1", "E_p", each(3, 2, [&](int64_t t, int64_t j) { return e(id(t), j); }));
  d.step("h2", "y", each(3, 2, [&](int64_t t, int64_t j) { return x(t, j) + e(id(t), j); }));
  d.step("1", "y", each(3, 2, [&](int64_t t, int64_t j) { return x(t, j) + e(id(t), j); }));
  d.step("2", "S", s);
  d.step("3", "y", each(3, 2, [&](int64_t t, int64_t j) { return x(t, j) + sum(4, [&](int64_t r) { return s(t, r) * e(r, j); }); }));
  d.step("4", "dL/dx", g);
  d.step("5", "dL/dE", each(4, 2, [&](int64_t r, int64_t j) { return sum(3, [&](int64_t t) { return g(t, j) * s(t, r); }); }));
  std::vector<double> scattered(8, 0);
  for (int64_t t = 0; t < 3; ++t) {
    for (int64_t j = 0; j < 2; ++j) scattered[static_cast<std::size_t>(2 * id(t) + j)] += g(t, j);
  }
  d.step("6", "dL/dE", {{4, 2}, scattered});
  d.law("7", "Σ dL/dE",
        each(2,
             [&](int64_t j) {
    return scattered[static_cast<std::size_t>(j)] + scattered[static_cast<std::size_t>(2 + j)] +
           scattered[static_cast<std::size_t>(4 + j)] + scattered[static_cast<std::size_t>(6 + j)];
  }),
        each(2, [&](int64_t j) { return sum(3, [&](int64_t t) { return g(t, j); }); }));
  const auto layer = [&](const Tensor& in, const Tensor& table) {
    return in + reshape(index_select(table, 0, tensor({0, 2, 0}, DType::i64)), {3, 2});
  };
  d.gradient("dL/dE", [&](const Tensor& t) { return layer(x, t); }, e, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return layer(t, e); }, x, g);
}

// One number a token. Numbers that stay small: tanh(ln 2) = 3/5, tanh(ln 3) = 4/5.
void recurrent() {
  Derivation d("pos-rnn");
  const Numbers x = d.given("x", {1, 1, 1});
  const Numbers w = d.given("w", std::log(2)), u = d.given("u", 5 * std::log(1.5) / 3);
  const Numbers g = d.given("g", {0, 0, 1});
  std::vector<double> h{0};
  for (int64_t t = 0; t < 3; ++t) h.push_back(std::tanh(w(0) * x(t) + u(0) * h.back()));
  const auto state = [&](int64_t t) { return h[static_cast<std::size_t>(t)]; };  // h_0 = 0
  d.step("1", "h", each(3, [&](int64_t t) { return state(t + 1); }));
  d.step("2", "y", each(3, [&](int64_t t) { return x(t) + state(t + 1); }));
  d.step("3", "1 − h²", each(3, [&](int64_t t) { return 1 - state(t + 1) * state(t + 1); }));
  std::vector<double> dh(4, 0), da(4, 0);
  for (int64_t t = 2; t >= 0; --t) {
    const auto i = static_cast<std::size_t>(t);
    dh[i] = g(t) + u(0) * da[i + 1];
    da[i] = dh[i] * (1 - state(t + 1) * state(t + 1));
  }
  const auto of = [](const std::vector<double>& v) { return each(3, [&](int64_t t) { return v[static_cast<std::size_t>(t)]; }); };
  d.step("4", "dL/dh", of(dh));
  d.step("5", "dL/da", of(da));
  d.step("6", "dL/dx", each(3, [&](int64_t t) { return g(t) + w(0) * of(da)(t); }));
  d.step("7", "dL/dw", sum(3, [&](int64_t t) { return of(da)(t) * x(t); }));
  d.step("8", "dL/du", sum(3, [&](int64_t t) { return of(da)(t) * state(t); }));
  const auto run = [](const Tensor& in, const Tensor& weight, const Tensor& recurrence) {
    Tensor last = zeros({}, DType::f64);
    Tensors y;
    for (int64_t t = 0; t < 3; ++t) {
      last = tanh(weight * in[t] + recurrence * last);
      y.push_back(in[t] + last);
    }
    return stack(y, 0);
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return run(t, w, u); }, x, g);
  d.gradient("dL/dw", [&](const Tensor& t) { return run(x, t, u); }, w, g);
  d.gradient("dL/du", [&](const Tensor& t) { return run(x, w, t); }, u, g);
  std::vector<double> rest{0};
  for (int t = 0; t < 10; ++t) rest.push_back(std::tanh(w(0) + u(0) * rest.back()));
  d.step("9", "h_t − h_{t−1} at 1, 2, 5, 10", {rest[1] - rest[0], rest[2] - rest[1], rest[5] - rest[4], rest[10] - rest[9]});
}

}  // namespace

int main() {
  none();
  learned();
  recurrent();
  return verdict();
}
