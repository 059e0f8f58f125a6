// The losses of scores against a class, line by line, mostly on the scores 0, ln 4 and ln 5.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 3;

Tensor ids(const std::vector<double>& values) { return cast(from_vector(values, {static_cast<int64_t>(values.size())}), DType::i64); }
Tensor id(double value) { return cast(tensor(value, DType::f64), DType::i64); }

double log_sum_exp(const Numbers& z) {
  return std::log(sum(n, [&](int64_t k) { return std::exp(z(k)); }));
}
Numbers softmax_of(const Numbers& z) {
  return each(n, [&](int64_t j) { return std::exp(z(j) - log_sum_exp(z)); });
}

void cross_entropy() {
  Derivation d("loss-cross-entropy");
  const Numbers z = d.given("z of row 1", {0, std::log(4), std::log(5)});
  const Numbers other = d.given("z of row 2", {std::log(3), 0, 0});
  const Numbers third = d.given("z of row 3", {7, 7, 7});
  constexpr int64_t y = 1;  // of row 1: the second class; of row 2 the first; row 3 is not counted

  const Numbers sums = each(2, [&](int64_t t) { return std::exp(log_sum_exp(t == 0 ? z : other)); });
  const Numbers log_z = each(2, [&](int64_t t) { return std::log(sums(t)); });
  const Numbers z_y = {z(1), other(0)};
  const Numbers losses = each(2, [&](int64_t t) { return log_z(t) - z_y(t); });
  d.step("h1", "Z", sums);
  d.step("h2", "log Z", log_z);
  d.law("h3", "log Z, the greatest score subtracted",
        each(2,
             [&](int64_t t) {
    const Numbers& row = t == 0 ? z : other;
    const double c = std::max({row(0), row(1), row(2)});
    return c + std::log(sum(n, [&](int64_t k) { return std::exp(row(k) - c); }));
  }),
        log_z);
  d.step("h4", "z_y", z_y);
  d.step("h5", "ℓ", losses);
  d.law("h6", "-log p_y", {-std::log(4.0 / 10), -std::log(3.0 / 5)}, losses);
  const double loss = (losses(0) + losses(1)) / 2;
  d.step("h7", "L", loss);
  d.law("h8", "e^-L", std::exp(-loss), std::sqrt(0.4 * 0.6));
  d.law("h9", "ℓ of equal scores", std::log(3.0), nn::cross_entropy(Numbers{2, 2, 2}, id(0)));

  d.step("1", "ℓ of row 1", std::log(sums(0)) - z(y));
  d.step("2", "∂Z/∂z", each(n, [&](int64_t j) { return std::exp(z(j)); }));
  const Numbers p = each(n, [&](int64_t j) { return std::exp(z(j)) / sums(0); });
  d.step("3", "∂(log Z)/∂z", p);
  d.step("4", "∂z_y/∂z", each(n, [&](int64_t j) { return delta(y, j); }));
  const Numbers dz = each(n, [&](int64_t j) { return p(j) - delta(y, j); });
  d.step("5", "∂ℓ/∂z", dz);
  d.law("6", "Σ ∂ℓ/∂z", sum(n, [&](int64_t j) { return dz(j); }), 0);
  const Numbers g = each(n, [&](int64_t i) { return -delta(y, i) / p(y); });
  d.step("7", "∂ℓ/∂p", g);
  const double q = sum(n, [&](int64_t i) { return g(i) * p(i); });
  d.step("8", "∂ℓ/∂z", each(n, [&](int64_t j) { return p(j) * (g(j) - q); }));
  d.gradient("∂ℓ/∂z", [&](const Tensor& t) { return nn::cross_entropy(t, id(y)); }, z, 1);

  const Numbers shares = {0.5, 0.5, 0};
  d.step("9", "∂L/∂ℓ", shares);
  const Numbers q2 = softmax_of(other);
  const Numbers grid{{z(0), z(1), z(2)}, {other(0), other(1), other(2)}, {third(0), third(1), third(2)}};
  d.step("10", "dL/dz", each(3, n, [&](int64_t t, int64_t j) { return shares(t) * (t == 0 ? dz(j) : t == 1 ? q2(j) - delta(0, j) : 0); }));
  d.gradient("dL/dz", [&](const Tensor& t) { return nn::cross_entropy(t, ids({1, 0, -100})); }, grid, 1);

  const auto hessian = [&](int64_t i, int64_t j) { return p(i) * (delta(i, j) - p(j)); };
  const Tensor leaf = z.tensor().set_requires_grad();
  const Tensor first = grad({nn::cross_entropy(leaf, id(y))}, {leaf}, {.create_graph = true})[0];
  const Numbers v{1, 0, -1};
  d.law("11", "Hessian, times [1, 0, -1]", each(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return hessian(i, j) * v(j); }); }),
        grad({first}, {leaf}, {.seeds = {v.tensor()}})[0]);
  const double mean_v = sum(n, [&](int64_t i) { return p(i) * v(i); });
  d.law("12", "vᵀHv", sum(n, [&](int64_t i) { return p(i) * (v(i) - mean_v) * (v(i) - mean_v); }),
        sum(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return v(i) * hessian(i, j) * v(j); }); }));

  // Softmax before it.
  const Numbers again = softmax_of(p);
  d.step("13", "ℓ, softmax twice", log_sum_exp(p) - p(y));
  const Numbers g_p = each(n, [&](int64_t i) { return again(i) - delta(y, i); });
  d.step("14", "∂ℓ/∂p, softmax twice", g_p);
  const double q_p = sum(n, [&](int64_t i) { return g_p(i) * p(i); });
  d.step("15", "∂ℓ/∂z, softmax twice", each(n, [&](int64_t j) { return p(j) * (g_p(j) - q_p); }));
  d.gradient("∂ℓ/∂z, softmax twice", [&](const Tensor& t) { return nn::cross_entropy(nn::softmax(t), id(y)); }, z, 1);
  d.law("16", "its least ℓ", std::log(1 + 2 / std::exp(1.0)), nn::cross_entropy(nn::softmax(Numbers{-900, 0, -900}), id(y)));
}

void z_loss() {
  Derivation d("loss-z");
  const Numbers near = d.given("z₁", {10, 1, 1});
  const Numbers far = d.given("z₂", {1010, 1001, 1001});
  const double log_near = 10 + std::log(1 + 2 * std::exp(-9.0)), log_far = 1010 + std::log(1 + 2 * std::exp(-9.0));
  const auto softmax_near = each(n, [&](int64_t j) { return std::exp(near(j) - log_near); });
  d.step("h1", "softmax(z₁)", softmax_near);
  d.law("h2", "softmax(z₂)", each(n, [&](int64_t j) { return std::exp(far(j) - log_far); }), softmax_near);
  d.step("h3", "log Z of both", {log_near, log_far});
  const Numbers cross = {log_near - near(0), log_far - far(0)};
  d.step("h4", "logZ - z_y of both", cross);
  constexpr double small = 1e-4;
  d.step("h5", "c (log Z)² of both", {small * log_near * log_near, small * log_far * log_far});
  const auto both = [&](double c) {
    return Numbers{nn::cross_entropy(near, id(0), {.z_loss = c}).item(), nn::cross_entropy(far, id(0), {.z_loss = c}).item()};
  };
  d.law("h6", "ℓ of both", {cross(0) + small * log_near * log_near, cross(1) + small * log_far * log_far}, both(small));

  const Numbers z = d.given("z", {0, std::log(4), std::log(5)});
  const double c = d.given("c", 0.1)(0);
  constexpr int64_t y = 1;
  const double log_z = log_sum_exp(z);
  const Numbers p = softmax_of(z);
  d.step("1", "ℓ_z", c * log_z * log_z);
  d.step("2", "dℓ_z/d(log Z)", 2 * c * log_z);
  d.step("3", "∂(log Z)/∂z", p);
  const Numbers dz = each(n, [&](int64_t j) { return 2 * c * log_z * p(j); });
  d.step("4", "∂ℓ_z/∂z", dz);
  d.step("5", "∂ℓ/∂z", each(n, [&](int64_t j) { return p(j) - delta(y, j) + 2 * c * log_z * p(j); }));
  d.step("6", "∂ℓ/∂z", each(n, [&](int64_t j) { return (1 + 2 * c * log_z) * p(j) - delta(y, j); }));
  d.gradient("∂ℓ_z/∂z", [&](const Tensor& t) { return c * square(logsumexp(t, -1)); }, z, 1);
  d.gradient("∂ℓ/∂z", [&](const Tensor& t) { return nn::cross_entropy(t, id(y), {.z_loss = c}); }, z, 1);
  d.law("7", "Σ ∂ℓ_z/∂z", sum(n, [&](int64_t j) { return dz(j); }), 2 * c * log_z);
  const auto lowered = each(n, [&](int64_t j) { return z(j) - log_z; });
  d.law("8", "log Z of z - log Z", log_sum_exp(lowered), 0);
  d.step("9", "d(log Z) in a step of η", -sum(n, [&](int64_t j) { return p(j) * dz(j); }));
  // Targets drawn with P; the scores log P.
  const Numbers often{0.1, 0.4, 0.5}, best = each(n, [&](int64_t j) { return std::log(often(j)); });
  d.law("10", "mean ∂ℓ/∂z at z of log P",
        each(n,
             [&](int64_t j) {
    return sum(n, [&](int64_t k) { return often(k) * ((1 + 2 * c * log_sum_exp(best)) * softmax_of(best)(j) - delta(k, j)); });
  }),
        {0, 0, 0});
}

void nll() {
  Derivation d("loss-nll");
  const Numbers x = d.given("log p", {std::log(0.1), std::log(0.4), std::log(0.5)});
  constexpr int64_t y = 1;
  d.step("1", "ℓ", -x(y));
  const Numbers g = each(n, [&](int64_t j) { return -delta(y, j); });
  d.step("2", "dℓ/d(log p)", g);
  d.gradient("dℓ/d(log p)", [&](const Tensor& t) { return nn::nll(t, id(y)); }, x, 1);
  const double total = sum(n, [&](int64_t j) { return g(j); });
  d.step("3", "G", total);
  d.step("4", "dℓ/dz", each(n, [&](int64_t j) { return g(j) - std::exp(x(j)) * total; }));
  const Numbers z{0, std::log(4), std::log(5)};
  d.gradient("dℓ/dz", [&](const Tensor& t) { return nn::nll(nn::log_softmax(t), id(y)); }, z, 1);
}

void label_smoothing() {
  Derivation d("loss-label-smoothing");
  const Numbers z = d.given("z", {0, std::log(4), std::log(5)});
  const double eps = d.given("ε", 0.3)(0);
  constexpr int64_t y = 1;
  const double log_z = log_sum_exp(z);
  const Numbers p = softmax_of(z);
  d.step("1", "ℓ", (1 - eps) * (log_z - z(y)) + eps / n * sum(n, [&](int64_t j) { return log_z - z(j); }));
  const Numbers target = each(n, [&](int64_t j) { return (1 - eps) * delta(y, j) + eps / n; });
  d.step("2", "q", target);
  d.step("3", "ℓ", -sum(n, [&](int64_t j) { return target(j) * std::log(p(j)); }));
  d.step("4", "dℓ/dz", each(n, [&](int64_t j) {
    return (1 - eps) * (p(j) - delta(y, j)) + eps / n * sum(n, [&](int64_t k) { return p(j) - delta(k, j); });
  }));
  d.step("5", "dℓ/dz", each(n, [&](int64_t j) { return (1 - eps) * (p(j) - delta(y, j)) + eps * (p(j) - 1.0 / n); }));
  d.step("6", "dℓ/dz", each(n, [&](int64_t j) { return p(j) - target(j); }));
  d.gradient("dℓ/dz", [&](const Tensor& t) { return nn::cross_entropy(t, id(y), {.label_smoothing = eps}); }, z, 1);
  const Numbers best = each(n, [&](int64_t j) { return std::log(target(j)); });
  d.law("7", "its least ℓ", -sum(n, [&](int64_t j) { return target(j) * best(j); }),
        nn::cross_entropy(best, id(y), {.label_smoothing = eps}));
  d.law("8", "z_y - z_j there", best(y) - best(0), std::log(8));
}

void focal() {
  Derivation d("loss-focal");
  const Numbers z = d.given("z", {0, std::log(4), std::log(5)});
  const double gamma = d.given("γ", 2)(0);
  constexpr int64_t y = 2;
  const Numbers all = softmax_of(z);
  const double p = all(y);
  d.step("1", "p", p);
  d.step("2", "ℓ", -std::pow(1 - p, gamma) * std::log(p));
  const Numbers dp = each(n, [&](int64_t j) { return p * (delta(y, j) - all(j)); });
  d.step("3", "∂p/∂z", dp);
  const double slope = gamma * std::pow(1 - p, gamma - 1) * std::log(p) - std::pow(1 - p, gamma) / p;
  d.step("4", "dℓ/dp", slope);
  d.step("5", "dℓ/dz", each(n, [&](int64_t j) { return slope * dp(j); }));
  const auto factor = [&](double share) { return std::pow(1 - share, gamma) * (1 - gamma * share * std::log(share) / (1 - share)); };
  d.law("6", "-p dℓ/dp", -p * slope, factor(p));
  d.step("7", "dℓ/dz", each(n, [&](int64_t j) { return factor(p) * (all(j) - delta(y, j)); }));
  d.gradient("dℓ/dz", [&](const Tensor& t) { return nn::focal(t, id(y), {.gamma = gamma}); }, z, 1);
  const auto by_library = [&](double share) {
    const Tensor leaf = Numbers{std::log(share), std::log(1 - share)}.tensor().set_requires_grad();
    return grad({nn::focal(leaf, id(0))}, {leaf})[0].at({0}) / (share - 1);
  };
  d.law("8", "the factor at p of 0.9, ½, ¼ and 0.01", {factor(0.9), factor(0.5), factor(0.25), factor(0.01)},
        {by_library(0.9), by_library(0.5), by_library(0.25), by_library(0.01)});
}

}  // namespace

int main() {
  cross_entropy();
  z_loss();
  nll();
  label_smoothing();
  focal();
  return verdict();
}
