// attn-multi-head: two tokens, two heads of width 1, four matrices; value and gradients line by line, and the order in memory.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 2, heads = 2, d_model = 2;  // d_head = 1: head h is column h

// a bᵀ, a b and aᵀ b, of 2 × 2 matrices.
Numbers times_turned(const Numbers& a, const Numbers& b) {
  return each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t k) { return a(i, k) * b(j, k); }); });
}
Numbers times(const Numbers& a, const Numbers& b) {
  return each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t k) { return a(i, k) * b(k, j); }); });
}
Numbers turned_times(const Numbers& a, const Numbers& b) {
  return each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t k) { return a(k, i) * b(k, j); }); });
}
Numbers plus(const Numbers& a, const Numbers& b) {
  return each(2, 2, [&](int64_t i, int64_t j) { return a(i, j) + b(i, j); });
}

Tensor layer_of(const Tensor& x, const Tensor& memory, const Tensors& w) {
  nn::MultiHeadAttention layer({.d_model = d_model, .heads = heads});
  layer.q_proj.weight.share(nn::Parameter(w[0]));
  layer.k_proj.weight.share(nn::Parameter(w[1]));
  layer.v_proj.weight.share(nn::Parameter(w[2]));
  layer.out_proj.weight.share(nn::Parameter(w[3]));
  return squeeze(layer(unsqueeze(x, 0), {.memory = unsqueeze(memory, 0)}), 0);
}

void multi_head() {
  Derivation d("attn-multi-head");
  const double ln3 = std::log(3);
  const Numbers x = d.given("x", {{1, 0}, {1, 1}});
  const Numbers wq = d.given("W_q", {{1, -1}, {0, 1}});
  const Numbers wk = d.given("W_k", {{0, ln3}, {ln3, -ln3}});
  const Numbers wv = d.given("W_v", {{4, -4}, {4, 4}});
  const Numbers wo = d.given("W_o", {{2, 1}, {1, -1}});
  const Numbers g = d.given("g", {{1, 0}, {1, -1}});

  const Numbers q = times_turned(x, wq), k = times_turned(x, wk), v = times_turned(x, wv);
  d.step("h1", "q", q);
  d.step("h2", "k", k);
  d.step("h3", "v", v);
  const auto weights = [&](int64_t h) {
    return each(n, n, [&](int64_t t, int64_t s) {
      return std::exp(q(t, h) * k(s, h)) / sum(n, [&](int64_t r) { return std::exp(q(t, h) * k(r, h)); });
    });
  };
  const std::vector<Numbers> p{weights(0), weights(1)};
  d.step("h4", "P of head 1", p[0]);
  d.step("h5", "P of head 2", p[1]);
  const Numbers u = each(
      n, d_model, [&](int64_t t, int64_t h) { return sum(n, [&](int64_t s) { return p[static_cast<std::size_t>(h)](t, s) * v(s, h); }); });
  d.step("h6", "u", u);
  d.step("h7", "y", times_turned(u, wo));

  // What lies in memory: token 1 (head 1, head 2), token 2 (head 1, head 2).
  d.step("m1", "v in memory", {v(0), v(1), v(2), v(3)});
  d.step("m2", "head 1 of v", each(n, [&](int64_t t) { return v(t * heads + 0); }));
  d.step("m3", "head 1 of v, viewed as [H, T]", each(n, [&](int64_t t) { return v(0 * n + t); }));

  // The gradient.
  d.step("1", "y", times_turned(u, wo));
  d.step("2", "dL/dW_o", turned_times(g, u));
  const Numbers du = times(g, wo);
  d.step("3", "dL/du", du);
  const auto of_head = [&](int64_t h, int64_t t, int64_t s) { return p[static_cast<std::size_t>(h)](t, s); };
  const Numbers dv = each(n, d_model, [&](int64_t s, int64_t h) { return sum(n, [&](int64_t t) { return of_head(h, t, s) * du(t, h); }); });
  d.step("4", "dL/dv", dv);
  const auto dz_of = [&](int64_t h) {
    return each(n, n, [&](int64_t t, int64_t s) { return of_head(h, t, s) * (du(t, h) * v(s, h) - du(t, h) * u(t, h)); });
  };
  const std::vector<Numbers> dz{dz_of(0), dz_of(1)};
  d.step("5", "dL/dz of head 1", dz[0]);
  d.step("6", "dL/dz of head 2", dz[1]);
  const auto dz_at = [&](int64_t h, int64_t t, int64_t s) { return dz[static_cast<std::size_t>(h)](t, s); };
  const Numbers dq = each(n, d_model, [&](int64_t t, int64_t h) { return sum(n, [&](int64_t s) { return dz_at(h, t, s) * k(s, h); }); });
  const Numbers dk = each(n, d_model, [&](int64_t s, int64_t h) { return sum(n, [&](int64_t t) { return dz_at(h, t, s) * q(t, h); }); });
  d.step("7", "dL/dq", dq);
  d.step("8", "dL/dk", dk);
  d.step("9", "dL/dW_q", turned_times(dq, x));
  d.step("10", "dL/dW_k", turned_times(dk, x));
  d.step("11", "dL/dW_v", turned_times(dv, x));
  const Numbers by_q = times(dq, wq), by_memory = plus(times(dk, wk), times(dv, wv));
  d.step("12", "dL/dx by the queries", by_q);
  d.step("13", "dL/dm", by_memory);
  d.step("14", "dL/dx", plus(by_q, by_memory));
  d.law("15", "Σ W_q ⊙ dL/dW_q − Σ W_k ⊙ dL/dW_k",
        sum(4, [&](int64_t i) { return wq(i) * turned_times(dq, x)(i) - wk(i) * turned_times(dk, x)(i); }), 0);
  d.law("16", "Σ W_v ⊙ dL/dW_v − Σ W_o ⊙ dL/dW_o",
        sum(4, [&](int64_t i) { return wv(i) * turned_times(dv, x)(i) - wo(i) * turned_times(g, u)(i); }), 0);

  const Tensors w{wq, wk, wv, wo};
  const auto with = [&](std::size_t which) {
    return [&, which](const Tensor& t) {
      Tensors changed = w;
      changed[which] = t;
      return layer_of(x, x, changed);
    };
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return layer_of(t, t, w); }, x, g);
  d.gradient("dL/dx by the queries", [&](const Tensor& t) { return layer_of(t, x, w); }, x, g);
  d.gradient("dL/dm", [&](const Tensor& t) { return layer_of(x, t, w); }, x, g);
  d.gradient("dL/dW_q", with(0), wq, g);
  d.gradient("dL/dW_k", with(1), wk, g);
  d.gradient("dL/dW_v", with(2), wv, g);
  d.gradient("dL/dW_o", with(3), wo, g);

  d.step("c1", "weights of a layer of width 64", 4.0 * 64 * 64);
  d.step("c2", "numbers in P, 64 tokens, 8 heads", 8.0 * 64 * 64);
}

}  // namespace

int main() {
  multi_head();
  return verdict();
}
