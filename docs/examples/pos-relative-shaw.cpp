// pos-relative-shaw and pos-relative-xl: the scores, the result and the gradients, line by line, for two queries and three
// keys of one head.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"
#include "nn/position/shaw.h"
#include "nn/position/sinusoidal.h"
#include "nn/position/transformer_xl.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t kQueries = 2, kKeys = 3, kHead = 2;

// The queries stand at 1 and 2, the keys at 0, 1, 2.
const nn::Positions kPlaces{tensor({1, 2}, DType::i64), tensor({0, 1, 2}, DType::i64)};

Tensor as_heads(const Tensor& x) { return reshape(x, {1, x.size(0), 1, x.size(1)}); }  // [1, T, 1, d]

// Σ_k a(i, k) b(j, k).
double inner(const Numbers& a, int64_t i, const Numbers& b, int64_t j) {
  return sum(kHead, [&](int64_t c) { return a(i, c) * b(j, c); });
}

// The softmax of each row.
Numbers softmax_rows(const Numbers& e, int64_t rows, int64_t columns) {
  return each(rows, columns,
              [&](int64_t i, int64_t j) { return std::exp(e(i, j)) / sum(columns, [&](int64_t m) { return std::exp(e(i, m)); }); });
}

void shaw() {
  Derivation d("pos-relative-shaw");
  const double ln2 = std::log(2), scale = 1;
  constexpr int64_t reach = 1, rows = 2 * reach + 1;
  const Numbers q = d.given("q", {{1, 0}, {0, 1}});
  const Numbers k = d.given("k", {{1, 1}, {0, 1}, {2, 0}});
  const Numbers v = d.given("v", {{4, 0}, {0, 4}, {4, 4}});
  const Numbers ak = d.given("a^K", {{-1, -1}, {ln2, ln2}, {-2, 3}});  // of the distances -1, 0, 1
  const Numbers av = d.given("a^V", {{0, 4}, {2, 0}, {0, 4}});
  const Numbers g = d.given("g", {{1, 0}, {-1, 1}});

  const Numbers far = each(kQueries, kKeys, [](int64_t i, int64_t j) { return static_cast<double>(j - (i + 1)); });
  const auto clipped = [&](int64_t i, int64_t j) { return std::max<int64_t>(-reach, std::min<int64_t>(reach, j - (i + 1))); };
  const auto row = [&](int64_t i, int64_t j) { return clipped(i, j) + reach; };
  const Numbers e = each(kQueries, kKeys, [&](int64_t i, int64_t j) { return scale * (inner(q, i, k, j) + inner(q, i, ak, row(i, j))); });
  const Numbers p = softmax_rows(e, kQueries, kKeys);
  const auto value = [&](int64_t i, int64_t j, int64_t c) { return v(j, c) + av(row(i, j), c); };
  const Numbers z =
      each(kQueries, kHead, [&](int64_t i, int64_t c) { return sum(kKeys, [&](int64_t j) { return p(i, j) * value(i, j, c); }); });
  d.step("h1", "j - i", far);
  d.step("h2", "r", each(kQueries, kKeys, [&](int64_t i, int64_t j) { return static_cast<double>(clipped(i, j)); }));
  d.step("h3", "q k^T", each(kQueries, kKeys, [&](int64_t i, int64_t j) { return inner(q, i, k, j); }));
  d.step("h4", "q a^K^T", each(kQueries, rows, [&](int64_t i, int64_t r) { return inner(q, i, ak, r); }));
  d.step("h5", "e", e);
  d.step("h6", "P", p);
  d.step("h7", "z", z);

  d.step("1", "z", z);
  const auto same = [&](int64_t i, int64_t j, int64_t r) { return delta(row(i, j), r); };
  // Σ over the pairs of row r of weight(i, j) x(i, c).
  const auto over_pairs = [&](const auto& weight, const Numbers& x) {
    return each(rows, kHead, [&](int64_t r, int64_t c) {
      return sum(kQueries, [&](int64_t i) { return sum(kKeys, [&](int64_t j) { return same(i, j, r) * weight(i, j) * x(i, c); }); });
    });
  };
  d.step("2", "dL/da^V", over_pairs([&](int64_t i, int64_t j) { return p(i, j); }, g));
  const Numbers by_row =
      each(kQueries, rows, [&](int64_t i, int64_t r) { return sum(kKeys, [&](int64_t j) { return same(i, j, r) * p(i, j); }); });
  d.step("3", "P by rows", by_row);
  const Numbers dav =
      each(rows, kHead, [&](int64_t r, int64_t c) { return sum(kQueries, [&](int64_t i) { return by_row(i, r) * g(i, c); }); });
  d.step("4", "dL/da^V", dav);
  const Numbers dp =
      each(kQueries, kKeys, [&](int64_t i, int64_t j) { return sum(kHead, [&](int64_t c) { return g(i, c) * value(i, j, c); }); });
  d.step("5", "dL/dP", dp);
  const auto mean_dp = [&](int64_t i) { return sum(kKeys, [&](int64_t j) { return p(i, j) * dp(i, j); }); };
  const Numbers de = each(kQueries, kKeys, [&](int64_t i, int64_t j) { return p(i, j) * (dp(i, j) - mean_dp(i)); });
  d.step("6", "E", de);
  d.step("7", "c δ for r: -1", each(kQueries, kKeys, [&](int64_t i, int64_t j) { return scale * same(i, j, 0); }));
  const Numbers dak = over_pairs([&](int64_t i, int64_t j) { return scale * de(i, j); }, q);
  d.step("8", "dL/da^K", dak);
  const Numbers de_by_row =
      each(kQueries, rows, [&](int64_t i, int64_t r) { return sum(kKeys, [&](int64_t j) { return same(i, j, r) * de(i, j); }); });
  d.step("9", "E by rows", de_by_row);
  d.step("10", "dL/da^K", each(rows, kHead, [&](int64_t r, int64_t c) {
    return scale * sum(kQueries, [&](int64_t i) { return de_by_row(i, r) * q(i, c); });
  }));
  const Numbers dq = each(kQueries, kHead, [&](int64_t i, int64_t c) {
    return scale * sum(kKeys, [&](int64_t j) { return de(i, j) * (k(j, c) + ak(row(i, j), c)); });
  });
  d.step("11", "dL/dq", dq);
  const Numbers dk =
      each(kKeys, kHead, [&](int64_t j, int64_t c) { return scale * sum(kQueries, [&](int64_t i) { return de(i, j) * q(i, c); }); });
  d.step("12", "dL/dk", dk);
  d.law("13", "Σ_r dL/da^V_r", each(kHead, [&](int64_t c) { return sum(rows, [&](int64_t r) { return dav(r, c); }); }),
        each(kHead, [&](int64_t c) { return sum(kQueries, [&](int64_t i) { return g(i, c); }); }));
  d.law("14", "Σ_r dL/da^K_r", each(kHead, [&](int64_t c) { return sum(rows, [&](int64_t r) { return dak(r, c); }); }), {0, 0});

  const auto attend = [&](const Tensor& q_, const Tensor& k_, const Tensor& ak_, const Tensor& av_) {
    nn::ShawPosition position({.d_model = 2, .heads = 1, .head_dim = 2, .max_length = 3}, reach);
    static_cast<Tensor&>(position.key_rows) = ak_;
    static_cast<Tensor&>(position.value_rows) = av_;
    const Tensor qh = as_heads(q_), kh = as_heads(k_), vh = as_heads(v);
    const Tensor probabilities = nn::attention_probabilities(qh, kh, {.bias = position.on_scores(qh, kh, kPlaces, scale), .scale = scale});
    return reshape(nn::weigh_values(probabilities, vh) + position.on_values(probabilities, kPlaces), {kQueries, kHead});
  };
  d.gradient("dL/da^V", [&](const Tensor& t) { return attend(q, k, ak, t); }, av, g);
  d.gradient("dL/da^K", [&](const Tensor& t) { return attend(q, k, t, av); }, ak, g);
  d.gradient("dL/dq", [&](const Tensor& t) { return attend(t, k, ak, av); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return attend(q, t, ak, av); }, k, g);
}

// Two queries and two keys at 0 and 1: the distances i - j are -1, 0, 1.
void transformer_xl() {
  Derivation d("pos-relative-xl");
  constexpr int64_t n = 2, distances = 3;
  const double scale = 0.5;
  const Numbers q = d.given("q", {{1, 0}, {0, 2}});
  const Numbers k = d.given("k", {{2, 0}, {0, 2}});
  const Numbers u = d.given("u", {1, 0});
  const Numbers v = d.given("v", {0, 1});
  const Numbers w = d.given("W_R", {{2, 0}, {0, 2}});
  const Numbers e_bar = d.given("E", {{1, -1}, {2, -2}});

  const Numbers waves = each(distances, kHead, [](int64_t r, int64_t c) {
    const auto far = static_cast<double>(r - 1);
    return c == 0 ? std::sin(far) : std::cos(far);
  });
  d.step("1", "R", waves);
  const Numbers rho =
      each(distances, kHead, [&](int64_t r, int64_t c) { return sum(kHead, [&](int64_t m) { return w(c, m) * waves(r, m); }); });
  d.step("2", "ρ", rho);
  const auto of = [](int64_t i, int64_t j) { return i - j + 1; };
  const Numbers zero{0, 0};
  const auto part = [&](bool ask, const Numbers& bias, bool content) {
    return [&q, &k, &rho, &of, bias, ask, content](int64_t i, int64_t j) {
      return sum(kHead, [&](int64_t c) { return ((ask ? q(i, c) : 0) + bias(c)) * (content ? k(j, c) : rho(of(i, j), c)); });
    };
  };
  const auto table = [&](const auto& f) { return each(n, n, [&](int64_t i, int64_t j) { return scale * f(i, j); }); };
  d.step("3", "c q·k", table(part(true, zero, true)));
  d.step("4", "c q·ρ", table(part(true, zero, false)));
  d.step("5", "c u·k", table(part(false, u, true)));
  d.step("6", "c v·ρ", table(part(false, v, false)));
  const auto content = part(true, u, true), place = part(true, v, false);
  d.step("7", "e", each(n, n, [&](int64_t i, int64_t j) { return scale * (content(i, j) + place(i, j)); }));
  d.step("8", "dL/du", each(kHead, [&](int64_t c) {
    return scale * sum(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return e_bar(i, j) * k(j, c); }); });
  }));
  d.step("9", "dL/dv", each(kHead, [&](int64_t c) {
    return scale * sum(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return e_bar(i, j) * rho(of(i, j), c); }); });
  }));
  d.step("10", "dL/dq", each(n, kHead, [&](int64_t i, int64_t c) {
    return scale * sum(n, [&](int64_t j) { return e_bar(i, j) * (k(j, c) + rho(of(i, j), c)); });
  }));
  const Numbers drho = each(distances, kHead, [&](int64_t r, int64_t c) {
    return scale *
           sum(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return delta(of(i, j), r) * e_bar(i, j) * (q(i, c) + v(c)); }); });
  });
  d.step("11", "dL/dρ", drho);
  d.step("12", "dL/dW_R",
         each(kHead, kHead, [&](int64_t c, int64_t m) { return sum(distances, [&](int64_t r) { return drho(r, c) * waves(r, m); }); }));

  const auto scores = [&](const Tensor& q_, const Tensor& u_, const Tensor& v_, const Tensor& w_) {
    nn::TransformerXLPosition position({.d_model = 2, .heads = 1, .head_dim = 2, .max_length = 2});
    static_cast<Tensor&>(position.content_bias) = reshape(u_, {1, 2});
    static_cast<Tensor&>(position.distance_bias) = reshape(v_, {1, 2});
    static_cast<Tensor&>(position.distance_proj.weight) = w_;
    const Tensor here = arange(n), qh = as_heads(q_), kh = as_heads(k);
    return reshape(position.on_scores(qh, kh, {here, here}, scale), {n, n}) + scale * matmul(q_, k, {.transpose_b = true});
  };
  d.gradient("dL/du", [&](const Tensor& t) { return scores(q, t, v, w); }, u, e_bar);
  d.gradient("dL/dv", [&](const Tensor& t) { return scores(q, u, t, w); }, v, e_bar);
  d.gradient("dL/dq", [&](const Tensor& t) { return scores(t, u, v, w); }, q, e_bar);
  d.gradient("dL/dW_R", [&](const Tensor& t) { return scores(q, u, v, t); }, w, e_bar);
}

}  // namespace

int main() {
  shaw();
  transformer_xl();
  return verdict();
}
