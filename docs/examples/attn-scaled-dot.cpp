// attn-scaled-dot: two queries meet three keys; value, gradient, and where 1/√d comes from, line by line.
#include <cmath>
#include <functional>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t queries = 2, keys = 3, d_head = 4;
const double root = std::sqrt(d_head);

// [T, d] as [1, T, 1, d]: one sample, one head.
Tensor one_head(const Tensor& x) { return reshape(x, {1, x.size(0), 1, x.size(1)}); }

// Each row of scores to probabilities.
Numbers softmax(const Numbers& z) {
  const int64_t n = z.shape()[1];
  return each(z.shape()[0], n,
              [&](int64_t t, int64_t s) { return std::exp(z(t, s)) / sum(n, [&](int64_t r) { return std::exp(z(t, r)); }); });
}

void scaled_dot() {
  Derivation d("attn-scaled-dot");
  const double ln2 = std::log(2);
  const Numbers q = d.given("q", {{1, 1, 0, 0}, {0, 1, 1, 0}});
  const Numbers k = d.given("k", {{-2 * ln2, 2 * ln2, 2 * ln2, 0}, {0, 2 * ln2, 0, 2 * ln2}, {0, 0, 2 * ln2, -2 * ln2}});
  const Numbers v = d.given("v", {{4, 0, 0, 4}, {0, 4, 0, 4}, {0, 0, 4, -4}});
  const Numbers g = d.given("g", {{1, 0, 0, 1}, {0, 2, 0, 0}});

  const auto dot = [](const Numbers& a, int64_t t, const Numbers& b, int64_t s) {
    return sum(d_head, [&](int64_t i) { return a(t, i) * b(s, i); });
  };
  d.step("h1", "q kᵀ", each(queries, keys, [&](int64_t t, int64_t s) { return dot(q, t, k, s); }));
  const Numbers z = each(queries, keys, [&](int64_t t, int64_t s) { return dot(q, t, k, s) / root; });
  d.step("h2", "z", z);
  d.step("h3", "e^z", each(queries, keys, [&](int64_t t, int64_t s) { return std::exp(z(t, s)); }));
  const Numbers p = softmax(z);
  d.step("h4", "P", p);
  const auto y_of = [&](int64_t t, int64_t i) { return sum(keys, [&](int64_t s) { return p(t, s) * v(s, i); }); };
  d.step("h5", "y", each(queries, d_head, y_of));

  // The gradient.
  const Numbers y = each(queries, d_head, y_of);
  d.step("1", "y", y);
  const Numbers dv = each(keys, d_head, [&](int64_t s, int64_t i) { return sum(queries, [&](int64_t t) { return p(t, s) * g(t, i); }); });
  d.step("2", "dL/dv", dv);
  const Numbers dp = each(queries, keys, [&](int64_t t, int64_t s) { return dot(g, t, v, s); });
  d.step("3", "dL/dP", dp);
  const auto jacobian = [&](int64_t t, int64_t r, int64_t s) { return p(t, r) * (delta(r, s) - p(t, s)); };
  d.step("4", "dL/dz",
         each(queries, keys, [&](int64_t t, int64_t s) { return sum(keys, [&](int64_t r) { return dp(t, r) * jacobian(t, r, s); }); }));
  d.step("5", "D", each(queries, [&](int64_t t) { return sum(keys, [&](int64_t s) { return p(t, s) * dp(t, s); }); }));
  const Numbers dz = each(
      queries, keys, [&](int64_t t, int64_t s) { return p(t, s) * (dp(t, s) - sum(keys, [&](int64_t r) { return p(t, r) * dp(t, r); })); });
  d.step("6", "dL/dz", dz);
  d.step("7", "D", each(queries, [&](int64_t t) {
    return sum(keys, [&](int64_t s) { return p(t, s) * sum(d_head, [&](int64_t i) { return g(t, i) * v(s, i); }); });
  }));
  d.step("8", "D", each(queries, [&](int64_t t) {
    return sum(d_head, [&](int64_t i) { return g(t, i) * sum(keys, [&](int64_t s) { return p(t, s) * v(s, i); }); });
  }));
  const Numbers row = each(queries, [&](int64_t t) { return sum(d_head, [&](int64_t i) { return g(t, i) * y(t, i); }); });
  d.step("9", "D", row);
  d.step("10", "dL/dz", each(queries, keys, [&](int64_t t, int64_t s) { return p(t, s) * (dp(t, s) - row(t)); }));
  d.step("11", "∂z_11/∂q_1", each(d_head, [&](int64_t i) { return k(0, i) / root; }));
  const Numbers dq =
      each(queries, d_head, [&](int64_t t, int64_t i) { return sum(keys, [&](int64_t s) { return dz(t, s) * k(s, i); }) / root; });
  d.step("12", "dL/dq", dq);
  d.step("13", "∂z_11/∂k_1", each(d_head, [&](int64_t i) { return q(0, i) / root; }));
  const Numbers dk =
      each(keys, d_head, [&](int64_t s, int64_t i) { return sum(queries, [&](int64_t t) { return dz(t, s) * q(t, i); }) / root; });
  d.step("14", "dL/dk", dk);
  d.law("15", "Σ_s dL/dz", each(queries, [&](int64_t t) { return sum(keys, [&](int64_t s) { return dz(t, s); }); }), {0, 0});
  d.law("16", "Σ_s dL/dk", each(d_head, [&](int64_t i) { return sum(keys, [&](int64_t s) { return dk(s, i); }); }), {0, 0, 0, 0});
  d.law("17", "Σ_s dL/dv", each(d_head, [&](int64_t i) { return sum(keys, [&](int64_t s) { return dv(s, i); }); }),
        each(d_head, [&](int64_t i) { return sum(queries, [&](int64_t t) { return g(t, i); }); }));
  d.law("18", "Σ q ⊙ dL/dq − Σ k ⊙ dL/dk",
        sum(queries, [&](int64_t t) { return dot(q, t, dq, t); }) - sum(keys, [&](int64_t s) { return dot(k, s, dk, s); }), 0);

  const auto attend = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    return reshape(nn::attention(one_head(a), one_head(b), one_head(c)), {queries, d_head});
  };
  d.gradient("dL/dv", [&](const Tensor& t) { return attend(q, k, t); }, v, g);
  d.gradient("dL/dq", [&](const Tensor& t) { return attend(t, k, v); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return attend(q, t, v); }, k, g);

  // Where the root comes from: q and k with entries ±1, all 2⁸ of them, so that each has mean 0 and variance 1.
  const auto mean_over_signs = [&](const std::function<double(const std::function<double(int64_t)>&)>& f) {
    return sum(256, [&](int64_t bits) { return f([=](int64_t i) { return (bits >> i) % 2 == 1 ? 1.0 : -1.0; }); }) / 256;
  };
  const auto product = [](const std::function<double(int64_t)>& sign) {
    return sum(d_head, [&](int64_t i) { return sign(i) * sign(d_head + i); });
  };
  d.law("s1", "mean of q·k", mean_over_signs(product), 0);
  d.law("s2", "mean of q_1 k_1 q_2 k_2",
        mean_over_signs([](const auto& sign) { return sign(0) * sign(d_head) * sign(1) * sign(d_head + 1); }), 0);
  d.law("s3", "mean of (q_1 k_1)²", mean_over_signs([](const auto& sign) { return std::pow(sign(0) * sign(d_head), 2); }), 1);
  d.law("s4", "mean of (q·k)²", mean_over_signs([&](const auto& sign) { return std::pow(product(sign), 2); }), d_head);
  d.law("s5", "mean of (q·k / √d)²", mean_over_signs([&](const auto& sign) { return std::pow(product(sign) / root, 2); }), 1);
  const double apart = std::sqrt(2), far = std::sqrt(2 * 64);
  const auto less = [](double difference) { return 1 / (1 + std::exp(difference)); };
  d.step("s6", "difference of two scores at d_head 64", {apart, far});
  d.step("s7", "weight of the lesser key", {less(apart), less(far)});
  d.step("s8", "slope of softmax", {less(apart) * (1 - less(apart)), less(far) * (1 - less(far))});
}

}  // namespace

int main() {
  scaled_dot();
  return verdict();
}
