// norm-qk and norm-qk-cosine: one query, two keys, and scores that no length can move.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void qk_norm() {
  Derivation d("norm-qk");
  const Numbers q = d.given("q", {1, 2, 2, 4});
  const Numbers k = d.given("k", {{4, 2, -2, -1}, {2, 1, 4, 2}});
  const Numbers q_gain = d.given("γ_q", {1, 1, 2, 1});
  const Numbers k_gain = d.given("γ_k", {1, 1, 1, 2});
  const Numbers g = d.given("g", {2, -4});
  constexpr int64_t n = 4, keys = 2;  // n is d_head
  const double root = std::sqrt(n);

  const double r = std::sqrt(sum(n, [&](int64_t i) { return q(i) * q(i); }) / n);
  d.step("h1", "r", r);
  const Numbers r_k = each(keys, [&](int64_t t) { return std::sqrt(sum(n, [&](int64_t i) { return k(t, i) * k(t, i); }) / n); });
  d.step("h2", "r_k", r_k);
  const Numbers q_hat = each(n, [&](int64_t i) { return q_gain(i) * q(i) / r; });
  d.step("h3", "q̂", q_hat);
  const Numbers k_hat = each(keys, n, [&](int64_t t, int64_t i) { return k_gain(i) * k(t, i) / r_k(t); });
  d.step("h4", "k̂", k_hat);
  d.step("h5", "scores", each(keys, [&](int64_t t) { return sum(n, [&](int64_t i) { return q_hat(i) * k_hat(t, i); }) / root; }));
  d.step("h6", "scores without", each(keys, [&](int64_t t) { return sum(n, [&](int64_t i) { return q(i) * k(t, i); }) / root; }));

  d.step("1", "scores", each(keys, [&](int64_t t) { return sum(n, [&](int64_t i) { return q_hat(i) * k_hat(t, i); }) / root; }));
  const Numbers dq_hat = each(n, [&](int64_t i) { return sum(keys, [&](int64_t t) { return g(t) * k_hat(t, i); }) / root; });
  d.step("2", "dL/dq̂", dq_hat);
  const Numbers dk_hat = each(keys, n, [&](int64_t t, int64_t i) { return g(t) * q_hat(i) / root; });
  d.step("3", "dL/dk̂", dk_hat);
  d.step("4", "dL/dγ_q", each(n, [&](int64_t i) { return dq_hat(i) * q(i) / r; }));
  d.step("5", "dL/dγ_k", each(n, [&](int64_t i) { return sum(keys, [&](int64_t t) { return dk_hat(t, i) * k(t, i) / r_k(t); }); }));
  const Numbers g_q = each(n, [&](int64_t i) { return dq_hat(i) * q_gain(i); });
  d.step("6", "ĝ_q", g_q);
  const auto dq_unit = [&](int64_t i, int64_t j) { return delta(i, j) / r - q(i) * q(j) / (n * r * r * r); };
  d.step("7", "dL/dq", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_q(i) * dq_unit(i, j); }); }));
  const double m = sum(n, [&](int64_t i) { return g_q(i) * q(i); }) / n;
  const Numbers dq = each(n, [&](int64_t j) { return (g_q(j) - q(j) * m / (r * r)) / r; });
  d.step("8", "dL/dq", dq);
  const Numbers g_k = each(keys, n, [&](int64_t t, int64_t i) { return dk_hat(t, i) * k_gain(i); });
  const Numbers m_k = each(keys, [&](int64_t t) { return sum(n, [&](int64_t i) { return g_k(t, i) * k(t, i); }) / n; });
  const Numbers dk = each(keys, n, [&](int64_t t, int64_t j) { return (g_k(t, j) - k(t, j) * m_k(t) / (r_k(t) * r_k(t))) / r_k(t); });
  d.step("9", "dL/dk", dk);
  d.law("10", "Σ q ⊙ dL/dq", sum(n, [&](int64_t j) { return q(j) * dq(j); }), 0);
  d.law("11", "Σ k ⊙ dL/dk", each(keys, [&](int64_t t) { return sum(n, [&](int64_t j) { return k(t, j) * dk(t, j); }); }), {0, 0});

  const auto scores = [](const Tensor& query, const Tensor& key, const Tensor& by_q, const Tensor& by_k) {
    return matmul(nn::rms_norm(key, by_k, 0), nn::rms_norm(query, by_q, 0)) / 2;
  };
  d.gradient("dL/dq", [&](const Tensor& t) { return scores(t, k, q_gain, k_gain); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return scores(q, t, q_gain, k_gain); }, k, g);
  d.gradient("dL/dγ_q", [&](const Tensor& t) { return scores(q, k, t, k_gain); }, q_gain, g);
  d.gradient("dL/dγ_k", [&](const Tensor& t) { return scores(q, k, q_gain, t); }, k_gain, g);

  // The bound, without gains.
  const Numbers unit = each(n, [&](int64_t i) { return q(i) / r; });
  d.law("b1", "‖q / r‖", std::sqrt(sum(n, [&](int64_t i) { return unit(i) * unit(i); })), root);
  d.law("b2", "score of q with itself", sum(n, [&](int64_t i) { return unit(i) * unit(i); }) / root, root);
  d.law("b3", "d score / dq there", each(n, [&](int64_t j) { return (unit(j) / root - unit(j) * root / n) / r; }), {0, 0, 0, 0});
  const Numbers longer = each(n, [&](int64_t i) { return 10 * q(i); });
  d.law("b4", "scores of 10 q", Numbers(scores(longer, k, q_gain, k_gain)), Numbers(scores(q, k, q_gain, k_gain)));
  const double largest_weight = std::exp(root) / (std::exp(root) + (10 - 1) * std::exp(-root));
  d.step("b5", "largest weight of 10", largest_weight);
}

void qk_norm_cosine() {
  Derivation d("norm-qk-cosine");
  const Numbers q = d.given("q", {3, 4});
  const Numbers k = d.given("k", {{2, 0}, {-3, 4}});
  const Numbers gains = d.given("γ", {10});  // one for each head, and here is one head
  const double gain = gains(0);
  const Numbers g = d.given("g", {1, -1});

  const double length = std::sqrt(sum(2, [&](int64_t i) { return q(i) * q(i); }));
  d.step("1", "‖q‖", length);
  const Numbers length_k = each(2, [&](int64_t t) { return std::sqrt(sum(2, [&](int64_t i) { return k(t, i) * k(t, i); })); });
  d.step("2", "‖k‖", length_k);
  const Numbers cosine = each(2, [&](int64_t t) { return sum(2, [&](int64_t i) { return q(i) * k(t, i); }) / (length * length_k(t)); });
  d.step("3", "cosines", cosine);
  const Numbers scores = each(2, [&](int64_t t) { return gain * cosine(t); });
  d.step("4", "scores", scores);
  d.step("5", "dL/dγ", {sum(2, [&](int64_t t) { return g(t) * cosine(t); })});
  d.step("6", "dL/dθ", {sum(2, [&](int64_t t) { return g(t) * scores(t); })});
  const auto d_cosine = [&](int64_t t, int64_t j) { return (k(t, j) / length_k(t) - cosine(t) * q(j) / length) / length; };
  d.step("7", "∂cos_1/∂q", each(2, [&](int64_t j) { return d_cosine(0, j); }));
  const Numbers dq = each(2, [&](int64_t j) { return sum(2, [&](int64_t t) { return g(t) * gain * d_cosine(t, j); }); });
  d.step("8", "dL/dq", dq);
  d.step("9", "dL/dk",
         each(2, 2, [&](int64_t t, int64_t j) { return g(t) * gain * (q(j) / length - cosine(t) * k(t, j) / length_k(t)) / length_k(t); }));
  d.law("10", "Σ q ⊙ dL/dq", sum(2, [&](int64_t j) { return q(j) * dq(j); }), 0);

  const auto f = [](const Tensor& query, const Tensor& key, const Tensor& log_gain) {
    nn::CosineQKNorm norm(2, 1, 0);
    norm.log_scale.share(nn::Parameter(log_gain));
    const auto [a, b] = norm(reshape(query, {1, 1, 1, 2}), reshape(key, {1, 2, 1, 2}));
    return matmul(reshape(b, {2, 2}), reshape(a, {2}));
  };
  const Numbers log_gain = {std::log(gain)};
  d.gradient("dL/dq", [&](const Tensor& t) { return f(t, k, log_gain); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return f(q, t, log_gain); }, k, g);
  d.gradient("dL/dθ", [&](const Tensor& t) { return f(q, k, t); }, log_gain, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return t * f(q, k, Numbers{0.0}); }, gains, g);
}

}  // namespace

int main() {
  qk_norm();
  qk_norm_cosine();
  return verdict();
}
