// ffn-moe and what belongs to it: the mixture, its grouped product, its router, what balances its load, a narrower space.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/feed_forward/grouped_linear.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }
double silu(double a) { return a * sigmoid(a); }
double silu_slope(double a) { return sigmoid(a) * (1 + a * (1 - sigmoid(a))); }

constexpr int64_t tokens = 2, d = 2, experts = 3;  // and one hidden unit in each expert

// As MixtureOfExperts has it, with k = 2: W₁ and W₃ have a row for each expert, W₂ a column.
Tensor mixture(const Tensor& x, const Tensor& router, const Tensor& w1, const Tensor& w3, const Tensor& w2) {
  const Tensor p = nn::softmax(matmul(x, router, {.transpose_b = true}));
  const Tensor chosen = nn::formula::chosen_experts(p, {}, 2);
  const auto [of, choices, ends] = nn::rows_by_expert(chosen, experts, 4);
  Tensors one, three, two;
  for (int64_t e = 0; e < experts; ++e) {
    one.push_back(slice(w1, 0, e, e + 1)), three.push_back(slice(w3, 0, e, e + 1)), two.push_back(slice(w2, 1, e, e + 1));
  }
  const Tensor rows = index_select(x, 0, of);
  const Tensor hidden =
      nn::gate(nn::act::silu, nn::grouped_linear(rows, ends, one, Tensors(3)), nn::grouped_linear(rows, ends, three, Tensors(3)));
  const Tensor weights = take(nn::formula::expert_weights(p, chosen, true), choices);
  return index_add(zeros_like(x), 0, of, nn::grouped_linear(hidden, ends, two, Tensors(3)) * unsqueeze(weights, 1));
}

void mixture_of_experts() {
  Derivation page("ffn-moe");
  const double log2 = std::log(2), log3 = std::log(3);
  const Numbers x = page.given("x", {{1, 0}, {0, 1}});
  const Numbers router = page.given("W_r", {{log3, 0}, {0, -1}, {-1, 2 * log2}});
  const Numbers w1 = page.given("W₁", {{log3, -log3}, {log3, 0}, {0, log3}});
  const Numbers w3 = page.given("W₃", {{1, 2}, {4, 1}, {1, 4}});
  const Numbers w2 = page.given("W₂", {{1, 2, -1}, {-1, 1, 3}});
  const Numbers g = page.given("g", {{1, 2}, {-1, 1}});

  const auto product = [](const Numbers& m) {
    return [&m](const Numbers& v) {
      return each(tokens, experts, [&](int64_t t, int64_t e) { return sum(d, [&](int64_t i) { return m(e, i) * v(t, i); }); });
    };
  };
  const Numbers z = product(router)(x);
  const Numbers chosen{{1, 1, 0}, {1, 0, 1}};
  const auto over = [&](int64_t t, const auto& f) { return sum(experts, [&](int64_t e) { return chosen(t, e) * f(e); }); };
  const Numbers w = each(tokens, experts, [&](int64_t t, int64_t e) {
    return chosen(t, e) * std::exp(z(t, e)) / over(t, [&](int64_t j) { return std::exp(z(t, j)); });
  });
  const Numbers a = product(w1)(x), u = product(w3)(x);
  const Numbers h = each(tokens, experts, [&](int64_t t, int64_t e) { return chosen(t, e) * silu(a(t, e)) * u(t, e); });
  const Numbers y = each(tokens, d, [&](int64_t t, int64_t j) { return over(t, [&](int64_t e) { return w(t, e) * w2(j, e) * h(t, e); }); });
  page.step("h1", "z", z);
  page.step("h2", "w", w);
  page.step("h3", "h", h);
  page.step("h4", "y", y);
  page.law("h5", "y of the library", mixture(x, router, w1, w3, w2), y);

  page.step("1", "z", z);
  page.step("2", "w", w);
  page.step("3", "h", h);
  page.step("4", "y", y);
  const Numbers gw2 = each(tokens, experts, [&](int64_t t, int64_t e) { return sum(d, [&](int64_t j) { return g(t, j) * w2(j, e); }); });
  const Numbers dw = each(tokens, experts, [&](int64_t t, int64_t e) { return chosen(t, e) * gw2(t, e) * h(t, e); });
  page.step("5", "dL/dw", dw);
  const Numbers dz = each(
      tokens, experts, [&](int64_t t, int64_t e) { return w(t, e) * (dw(t, e) - over(t, [&](int64_t j) { return w(t, j) * dw(t, j); })); });
  page.step("6", "dL/dz", dz);
  page.step("7", "dL/dW_r",
            each(experts, d, [&](int64_t e, int64_t i) { return sum(tokens, [&](int64_t t) { return dz(t, e) * x(t, i); }); }));
  const Numbers dh = each(tokens, experts, [&](int64_t t, int64_t e) { return w(t, e) * gw2(t, e); });
  page.step("8", "dL/dh", dh);
  page.step("9", "dL/dW₂",
            each(d, experts, [&](int64_t j, int64_t e) { return sum(tokens, [&](int64_t t) { return w(t, e) * g(t, j) * h(t, e); }); }));
  const Numbers da = each(tokens, experts, [&](int64_t t, int64_t e) { return dh(t, e) * u(t, e) * silu_slope(a(t, e)); });
  const Numbers du = each(tokens, experts, [&](int64_t t, int64_t e) { return dh(t, e) * silu(a(t, e)); });
  page.step("10", "dL/da", da);
  page.step("11", "dL/du", du);
  page.step("12", "dL/dW₁",
            each(experts, d, [&](int64_t e, int64_t i) { return sum(tokens, [&](int64_t t) { return da(t, e) * x(t, i); }); }));
  page.step("13", "dL/dx", each(tokens, d, [&](int64_t t, int64_t i) {
    return sum(experts, [&](int64_t e) { return da(t, e) * w1(e, i) + du(t, e) * w3(e, i) + dz(t, e) * router(e, i); });
  }));
  page.law("14", "Σ_e dL/dz", each(tokens, [&](int64_t t) { return sum(experts, [&](int64_t e) { return dz(t, e); }); }), {0, 0});

  page.gradient("dL/dx", [&](const Tensor& t) { return mixture(t, router, w1, w3, w2); }, x, g);
  page.gradient("dL/dW_r", [&](const Tensor& t) { return mixture(x, t, w1, w3, w2); }, router, g);
  page.gradient("dL/dW₁", [&](const Tensor& t) { return mixture(x, router, t, w3, w2); }, w1, g);
  page.gradient("dL/dW₂", [&](const Tensor& t) { return mixture(x, router, w1, w3, t); }, w2, g);
}

// Three rows, of which two are the first expert's and one the second's.
void grouped() {
  Derivation page("ffn-moe-grouped");
  const Numbers x = page.given("x", {{1, 2}, {3, -1}, {2, 1}});
  const Numbers w = page.given("W", {{1, 1}, {2, -1}}), v = page.given("V", {{0, 1}, {1, 3}});
  const Numbers g = page.given("g", {{1, 0}, {2, 1}, {-1, 1}});
  const int64_t first = 2;
  const auto of = [&](int64_t row) -> const Numbers& { return row < first ? w : v; };
  const auto map = [&](const Tensor& in, const Tensor& one, const Tensor& other) {
    return nn::grouped_linear(in, tensor({2, 3}, DType::i64), {one, other}, Tensors(2));
  };
  const Numbers y = each(3, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t c) { return of(i)(j, c) * x(i, c); }); });
  page.step("1", "y", y);
  page.law("2", "y of the library", map(x, w, v), y);
  page.step("3", "dL/dx", each(3, 2, [&](int64_t i, int64_t c) { return sum(2, [&](int64_t j) { return g(i, j) * of(i)(j, c); }); }));
  page.step("4", "dL/dW", each(2, 2, [&](int64_t j, int64_t c) { return sum(first, [&](int64_t i) { return g(i, j) * x(i, c); }); }));
  page.step("5", "dL/dV", each(2, 2, [&](int64_t j, int64_t c) { return g(2, j) * x(2, c); }));
  page.gradient("dL/dx", [&](const Tensor& t) { return map(t, w, v); }, x, g);
  page.gradient("dL/dW", [&](const Tensor& t) { return map(x, t, v); }, w, g);
  page.gradient("dL/dV", [&](const Tensor& t) { return map(x, w, t); }, v, g);
}

// Sigmoids of log 3, 0 and −log 3: ¾, ½ and ¼; the first two are chosen.
void router() {
  Derivation page("ffn-moe-router");
  const double log3 = std::log(3);
  const Numbers z = page.given("z", {log3, 0, -log3}), g = page.given("g", {1, -1});
  const auto weights = [](const Tensor& t) {
    const Tensor s = gradus::sigmoid(unsqueeze(t, 0));
    return squeeze(nn::formula::expert_weights(s, nn::formula::chosen_experts(s, {}, 2), true), {0});
  };
  const Numbers s = each(3, [&](int64_t e) { return sigmoid(z(e)); });
  const double total = s(0) + s(1);
  const Numbers w = each(2, [&](int64_t e) { return s(e) / total; });
  page.step("1", "s", s);
  page.step("2", "w", w);
  page.law("3", "w of the library", weights(z), w);
  const double mean = sum(2, [&](int64_t e) { return w(e) * g(e); });
  const Numbers ds = each(3, [&](int64_t e) { return e < 2 ? (g(e) - mean) / total : 0.0; });
  page.step("4", "dL/ds", ds);
  page.step("5", "dL/dz", each(3, [&](int64_t e) { return ds(e) * s(e) * (1 - s(e)); }));
  page.law("6", "Σ s dL/ds", sum(3, [&](int64_t e) { return s(e) * ds(e); }), 0.0);
  page.gradient("dL/dz", weights, z, g);
}

// Four tokens, each to one of three experts.
void balance() {
  Derivation page("ffn-moe-balance");
  const Numbers p = page.given("p", {{0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}, {0.5, 0.25, 0.25}});
  const Numbers z = each(4, 3, [&](int64_t t, int64_t e) { return std::log(p(t, e)); });
  const auto loss = [](const Tensor& t) {
    const Tensor s = nn::softmax(t);
    return nn::formula::balance_loss(s, nn::formula::chosen_experts(s, {}, 1));
  };
  const Numbers f{0.75, 0.25, 0};
  const Numbers mean = each(3, [&](int64_t e) { return sum(4, [&](int64_t t) { return p(t, e) / 4; }); });
  page.step("1", "f", f);
  page.step("2", "P", mean);
  const double value = 3 * sum(3, [&](int64_t e) { return f(e) * mean(e); });
  page.step("3", "L", value);
  page.law("4", "L of the library", loss(z), value);
  page.step("5", "dL/dP", each(3, [&](int64_t e) { return 3 * f(e); }));
  const auto dp = [&](int64_t e) { return 3 * f(e) / 4; };
  page.step("6", "dL/dp", each(4, 3, [&](int64_t, int64_t e) { return dp(e); }));
  page.step("7", "dL/dz",
            each(4, 3, [&](int64_t t, int64_t e) { return p(t, e) * (dp(e) - sum(3, [&](int64_t j) { return p(t, j) * dp(j); })); }));
  page.gradient("dL/dz", loss, z, 1.0);
}

// Two tokens through one unit of the narrower space, and back.
void latent() {
  Derivation page("ffn-moe-latent");
  const Numbers x = page.given("x", {{1, 2}, {3, -1}}), down = page.given("W_d", Numbers(Shape{1, 2}, {1, -1}));
  const Numbers up = page.given("W_u", Numbers(Shape{2, 1}, {2, -1})), weight = page.given("w", {0.75, 0.5}),
                g = page.given("g", {{1, 1}, {1, -1}});
  const auto layer = [&](const Tensor& t, const Tensor& into, const Tensor& out) {
    const Tensor c = nn::linear(t, into);
    return nn::linear(unsqueeze(weight.tensor(), 1) * square(c), out);  // c² stands for the expert
  };
  const Numbers c = each(2, [&](int64_t t) { return down(0, 0) * x(t, 0) + down(0, 1) * x(t, 1); });
  const Numbers m = each(2, [&](int64_t t) { return weight(t) * c(t) * c(t); });
  const Numbers y = each(2, 2, [&](int64_t t, int64_t j) { return up(j, 0) * m(t); });
  page.step("1", "c", c);
  page.step("2", "m", m);
  page.step("3", "y", y);
  page.law("4", "y of the library's maps", layer(x, down, up), y);
  page.step("5", "dL/dW_u", Numbers(Shape{2, 1}, {g(0, 0) * m(0) + g(1, 0) * m(1), g(0, 1) * m(0) + g(1, 1) * m(1)}));
  const Numbers dm = each(2, [&](int64_t t) { return g(t, 0) * up(0, 0) + g(t, 1) * up(1, 0); });
  page.step("6", "dL/dm", dm);
  const Numbers dc = each(2, [&](int64_t t) { return dm(t) * weight(t) * 2 * c(t); });
  page.step("7", "dL/dc", dc);
  page.step("8", "dL/dW_d", each(1, 2, [&](int64_t, int64_t i) { return sum(2, [&](int64_t t) { return dc(t) * x(t, i); }); }));
  page.step("9", "dL/dx", each(2, 2, [&](int64_t t, int64_t i) { return dc(t) * down(0, i); }));
  page.gradient("dL/dx", [&](const Tensor& t) { return layer(t, down, up); }, x, g);
  page.gradient("dL/dW_d", [&](const Tensor& t) { return layer(x, t, up); }, down, g);
  page.gradient("dL/dW_u", [&](const Tensor& t) { return layer(x, down, t); }, up, g);
}

}  // namespace

int main() {
  mixture_of_experts();
  grouped();
  router();
  balance();
  latent();
  return verdict();
}
