// The losses between probabilities, line by line: binary cross-entropy and the divergence of Kullback and Leibler.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double softplus(double a) { return std::log(1 + std::exp(a)); }
double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

void bce() {
  Derivation d("loss-bce-logits");
  constexpr int64_t n = 3;
  const Numbers x = d.given("x", {std::log(3), std::log(3), 0});
  const Numbers y = d.given("y", {1, 0, 0.25});
  const Numbers ones{1, 1, 1};
  const Numbers p = each(n, [&](int64_t i) { return sigmoid(x(i)); });
  d.step("1", "p", p);
  d.step("2", "ℓ", each(n, [&](int64_t i) { return -y(i) * std::log(p(i)) - (1 - y(i)) * std::log(1 - p(i)); }));
  d.law("3", "log(1 + e^-x)", each(n, [&](int64_t i) { return softplus(-x(i)); }), each(n, [&](int64_t i) { return -std::log(p(i)); }));
  d.law("4", "log(1 + e^x)", each(n, [&](int64_t i) { return softplus(x(i)); }), each(n, [&](int64_t i) { return -std::log(1 - p(i)); }));
  d.step("5", "ℓ", each(n, [&](int64_t i) { return y(i) * softplus(-x(i)) + (1 - y(i)) * softplus(x(i)); }));
  d.step("6", "d log(1 + e^x)/dx", each(n, [&](int64_t i) { return std::exp(x(i)) / (1 + std::exp(x(i))); }));
  d.step("7", "d log(1 + e^-x)/dx", each(n, [&](int64_t i) { return -std::exp(-x(i)) / (1 + std::exp(-x(i))); }));
  d.step("8", "∂ℓ/∂x", each(n, [&](int64_t i) { return -y(i) * (1 - p(i)) + (1 - y(i)) * p(i); }));
  d.step("9", "∂ℓ/∂x", each(n, [&](int64_t i) { return p(i) - y(i); }));
  d.step("10", "∂ℓ/∂y", each(n, [&](int64_t i) { return softplus(-x(i)) - softplus(x(i)); }));
  d.step("11", "∂ℓ/∂y", each(n, [&](int64_t i) { return -x(i); }));
  d.gradient("∂ℓ/∂x", [&](const Tensor& t) { return nn::bce_with_logits(t, y, nn::Reduction::none); }, x, ones);
  d.gradient("∂ℓ/∂y", [&](const Tensor& t) { return nn::bce_with_logits(x, t, nn::Reduction::none); }, y, ones);
  const Tensor two = cast(tensor({1, 0}, DType::f64), DType::i64);
  d.law("12", "ℓ of y of 1 and of 0", {softplus(-x(0)), softplus(x(1))},
        nn::cross_entropy(Numbers{{0, x(0)}, {0, x(1)}}, two, {.reduction = nn::Reduction::none}));
  const float score = 20;
  d.step("13", "log(1 + e^x) - xy at 20 in f32, y of 1", static_cast<double>(std::log(1 + std::exp(score)) - score));
  d.step("14", "log(1 + e^-x) there", std::log1p(std::exp(-20.0)));
}

void kl() {
  Derivation d("loss-kl");
  constexpr int64_t n = 2;
  const Numbers p = d.given("p", {0.5, 0.5});
  const Numbers q = d.given("q", {0.25, 0.75});
  const Numbers log_p = each(n, [&](int64_t j) { return std::log(p(j)); });
  const Numbers log_q = each(n, [&](int64_t j) { return std::log(q(j)); });
  const auto divergence = [](const Numbers& a, const Numbers& b) {
    return sum(n, [&](int64_t j) { return a(j) * (std::log(a(j)) - std::log(b(j))); });
  };
  d.step("1", "ℓ", divergence(p, q));
  d.step("2", "∂ℓ/∂(log q)", each(n, [&](int64_t j) { return -p(j); }));
  d.step("3", "∂p_1/∂(log p)", each(n, [&](int64_t j) { return delta(0, j) * p(j); }));
  d.step("4", "∂ℓ/∂(log p)", each(n, [&](int64_t j) { return p(j) * (log_p(j) - log_q(j)) + p(j) * 1; }));
  d.step("5", "∂ℓ/∂(log p)", each(n, [&](int64_t j) { return p(j) * (log_p(j) - log_q(j) + 1); }));
  d.gradient("∂ℓ/∂(log q)", [&](const Tensor& t) { return nn::kl_divergence(t, log_p); }, log_q, 1);
  d.gradient("∂ℓ/∂(log p)", [&](const Tensor& t) { return nn::kl_divergence(log_q, t); }, log_p, 1);
  const double total = -sum(n, [&](int64_t j) { return p(j); });
  d.step("6", "∂ℓ/∂z", each(n, [&](int64_t j) { return -p(j) - q(j) * total; }));
  d.step("7", "∂ℓ/∂z", each(n, [&](int64_t j) { return q(j) - p(j); }));
  d.gradient("∂ℓ/∂z", [&](const Tensor& t) { return nn::kl_divergence(nn::log_softmax(t), log_p); }, log_q, 1);
  const double cross = -sum(n, [&](int64_t j) { return p(j) * log_q(j); });
  const double entropy = -sum(n, [&](int64_t j) { return p(j) * log_p(j); });
  d.law("8", "cross-entropy - entropy", cross - entropy, divergence(p, q));
  d.law("9", "Σ p (q/p - 1)", sum(n, [&](int64_t j) { return p(j) * (q(j) / p(j) - 1); }), 0);
  d.law("10", "the other way round", divergence(q, p), nn::kl_divergence(log_p, log_q));
}

}  // namespace

int main() {
  bce();
  kl();
  return verdict();
}
