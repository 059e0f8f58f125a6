// optim-adam and its relatives that keep two moments: the steps in plain numbers, and the reasons for them.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

using Row = std::vector<double>;

constexpr double kBeta1 = 0.5, kBeta2 = 0.75, kEps = 1e-8;  // of the steps by hand

Numbers row(const Row& values) { return {{static_cast<int64_t>(values.size())}, values}; }

double left(double beta, int t) { return 1 - std::pow(beta, t); }

// θ after one step for each gradient, by the library.
template <typename Optimizer, typename Options>
Numbers after(const Numbers& start, const std::vector<Numbers>& gradients, Options options) {
  const Tensor theta = start.tensor().set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  for (const Numbers& g : gradients) {
    theta.set_grad(g);
    optimizer.step();
  }
  return theta;
}

// How far each step goes from 0 with η = 1, against gradients of one number.
template <typename Optimizer, typename Options> Numbers lengths(const Row& gradients, Options options) {
  options.lr = 1;
  const Tensor theta = zeros({1}, DType::f64).set_requires_grad();
  Optimizer optimizer({{{{"theta", theta}}}}, options);
  Row values;
  for (const double g : gradients) {
    const double before = theta.item();
    theta.set_grad(full({1}, g, DType::f64));
    optimizer.step();
    values.push_back(before - theta.item());
  }
  return row(values);
}

void adam() {
  Derivation d("optim-adam");
  const Numbers theta = d.given("θ", {1, 1});
  const Numbers g1 = d.given("g_1", {2, -0.02}), g2 = d.given("g_2", {-2, -0.02});
  constexpr double eta = 0.1;
  const auto two = [](const std::function<double(int64_t)>& f) { return each(2, f); };
  const Numbers m1 = two([&](int64_t i) { return (1 - kBeta1) * g1(i); });
  const Numbers v1 = two([&](int64_t i) { return (1 - kBeta2) * g1(i) * g1(i); });
  const auto corrected = [&](const Numbers& a, double beta, int t) {
    return two([&, beta, t](int64_t i) { return a(i) / left(beta, t); });
  };
  const auto moved = [&](const Numbers& from, const Numbers& m_hat, const Numbers& v_hat) {
    return two([&](int64_t i) { return from(i) - eta * m_hat(i) / (std::sqrt(v_hat(i)) + kEps); });
  };
  d.step("h1", "m_1", m1);
  d.step("h2", "v_1", v1);
  d.step("h3", "m̂_1", corrected(m1, kBeta1, 1));
  d.step("h4", "v̂_1", corrected(v1, kBeta2, 1));
  const optim::AdamOptions options{.lr = eta, .beta1 = kBeta1, .beta2 = kBeta2};
  const Numbers theta1 = moved(theta, corrected(m1, kBeta1, 1), corrected(v1, kBeta2, 1));
  d.law("h5", "θ_1", theta1, after<optim::Adam>(theta, {g1}, options));
  const Numbers m2 = two([&](int64_t i) { return kBeta1 * m1(i) + (1 - kBeta1) * g2(i); });
  const Numbers v2 = two([&](int64_t i) { return kBeta2 * v1(i) + (1 - kBeta2) * g2(i) * g2(i); });
  d.step("h6", "m_2", m2);
  d.step("h7", "v_2", v2);
  d.step("h8", "m̂_2", corrected(m2, kBeta1, 2));
  d.step("h9", "v̂_2", corrected(v2, kBeta2, 2));
  d.law("h10", "θ_2", moved(theta1, corrected(m2, kBeta1, 2), corrected(v2, kBeta2, 2)), after<optim::Adam>(theta, {g1, g2}, options));

  // The bias, and its correction.
  d.step("1", "m_2", two([&](int64_t i) { return kBeta1 * (1 - kBeta1) * g1(i) + (1 - kBeta1) * g2(i); }));
  d.step("2", "weights in m_2", Numbers{(1 - kBeta1) * kBeta1, 1 - kBeta1});
  d.step("3", "their sum", (1 - kBeta1) * kBeta1 + (1 - kBeta1));
  d.step("4", "their sum", left(kBeta1, 2));
  d.step("5", "m_2 for a constant g of 2", left(kBeta1, 2) * 2);
  d.step("6", "m̂_2 for a constant g of 2", left(kBeta1, 2) * 2 / left(kBeta1, 2));
  d.step("7", "v_2 and v̂_2 for it", Numbers{left(kBeta2, 2) * 4, 4});
  d.step("8", "m̂_1", g1);
  d.step("9", "v̂_1", two([&](int64_t i) { return g1(i) * g1(i); }));
  d.step("10", "first step", two([&](int64_t i) { return -eta * g1(i) / (std::abs(g1(i)) + kEps); }));
  constexpr optim::AdamOptions defaults{.eps = 1e-300};
  const Numbers ones = lengths<optim::Adam>(Row(1000, 7), defaults);
  d.law("11", "steps 1, 10, 1000 of a constant g, in η", Numbers{1, 1, 1}, Numbers{ones(0), ones(9), ones(999)});
  d.step("12", "the same without both corrections", each(3, [](int64_t i) {
    const int t = i == 0 ? 1 : i == 1 ? 10 : 1000;
    return left(0.9, t) / std::sqrt(left(0.999, t));
  }));
  Row rare(20000, 0);
  rare.back() = 7;
  const Numbers seldom = lengths<optim::Adam>(rare, defaults);
  d.law("13", "a lone gradient after long silence, in η", (1 - 0.9) / left(0.9, 20000) / std::sqrt((1 - 0.999) / left(0.999, 20000)),
        seldom(19999));
  Row growing(20000, 0);
  for (int k = 0; k < 3000; ++k) growing[static_cast<std::size_t>(19999 - k)] = std::pow(0.9 / 0.999, k);
  const double end = std::sqrt(left(0.999, 20000)) / left(0.9, 20000);
  d.law("14", "the longest step there is, in η", 0.1 / std::sqrt(0.001 * (1 - 0.9 * 0.9 / 0.999)) * end,
        lengths<optim::Adam>(growing, defaults)(19999));
  const Numbers hundred{200, -2};
  d.law("15", "θ_1 for 100 g_1", two([&](int64_t i) { return theta(i) - eta * hundred(i) / (std::abs(hundred(i)) + kEps); }),
        after<optim::Adam>(theta, {hundred}, options));

  // ε beside a gradient of its own size, and ε before the correction.
  constexpr double small = 0.02;
  optim::AdamOptions with = options;
  with.eps = small;
  d.law("16", "first step, |g| and ε 0.02", eta * small / (small + small),
        Numbers(1 - after<optim::Adam>(Numbers{1}, {Numbers{small}}, with)(0)).values()[0]);
  with.eps_before_correction = true;
  d.law("17", "the same, ε before the correction", eta * small / (small + small / std::sqrt(1 - kBeta2)),
        Numbers(1 - after<optim::Adam>(Numbers{1}, {Numbers{small}}, with)(0)).values()[0]);
  d.step("18", "weight of that ε in step 1, by the defaults", 1 / std::sqrt(1 - 0.999));
}

void adamw() {
  Derivation d("optim-adamw");
  const Numbers theta = d.given("θ", {2, -4});
  const Numbers g1 = d.given("g_1", {2, -0.02}), g2 = d.given("g_2", {-2, -0.02});
  constexpr double eta = 0.1, lambda = 0.5;
  const auto next = [&](const Numbers& from, const Numbers& step) {
    return each(2, [&](int64_t i) { return (1 - eta * lambda) * from(i) - eta * step(i); });
  };
  const Numbers first = each(2, [&](int64_t i) { return g1(i) / (std::abs(g1(i)) + kEps); });
  const Numbers second = each(2, [&](int64_t i) {
    const double m = kBeta1 * (1 - kBeta1) * g1(i) + (1 - kBeta1) * g2(i), v = g1(i) * g1(i) * left(kBeta2, 2);
    return m / left(kBeta1, 2) / (std::sqrt(v / left(kBeta2, 2)) + kEps);
  });
  const optim::AdamWOptions options{.lr = eta, .beta1 = kBeta1, .beta2 = kBeta2, .weight_decay = lambda};
  d.step("1", "1 - ηλ", 1 - eta * lambda);
  d.step("2", "Adam's steps 1 and 2, in η", Numbers{{first(0), first(1)}, {second(0), second(1)}});
  d.law("3", "θ_1", next(theta, first), after<optim::AdamW>(theta, {g1}, options));
  d.law("4", "θ_2", next(next(theta, first), second), after<optim::AdamW>(theta, {g1, g2}, options));
  double x = 0;
  for (int t = 0; t < 1000; ++t) x = (1 - eta * lambda) * x - eta * 1;
  d.step("5", "where a constant gradient leads", -1 / lambda);
  d.law("6", "after 1,000 steps of it", x,
        after<optim::AdamW>(Numbers{0}, std::vector<Numbers>(1000, Numbers{7}),
                            optim::AdamWOptions{.lr = eta, .eps = 1e-300, .weight_decay = lambda})(0));
}

void amsgrad() {
  Derivation d("optim-amsgrad");
  d.given("g_1, g_2", {2, 0});
  const double v1 = (1 - kBeta2) * 4, v2 = kBeta2 * v1, m2 = kBeta1 * (1 - kBeta1) * 2, m_hat = m2 / left(kBeta1, 2);
  d.step("1", "v_1, v_2", Numbers{v1, v2});
  d.step("2", "v̄_1, v̄_2", Numbers{v1, std::max(v1, v2)});
  d.step("3", "m̂_2", m_hat);
  const double by_adam = m_hat / std::sqrt(v2 / left(kBeta2, 2)), by_amsgrad = m_hat / std::sqrt(v1 / left(kBeta2, 2));
  optim::AdamOptions options{.beta1 = kBeta1, .beta2 = kBeta2, .eps = 1e-300};
  d.law("4", "second step of Adam, in η", by_adam, lengths<optim::Adam>({2, 0}, options)(1));
  options.amsgrad = true;
  d.law("5", "second step, in η", by_amsgrad, lengths<optim::Adam>({2, 0}, options)(1));
  const double after_correction = m_hat / std::sqrt(std::max(v1 / left(kBeta2, 1), v2 / left(kBeta2, 2)));
  d.step("6", "the maximum after the correction", after_correction);
  d.law("7", "line 5 over line 6", by_amsgrad / after_correction, std::sqrt(1 + kBeta2));
}

void nadam() {
  Derivation d("optim-nadam");
  constexpr double psi = 0.004;
  const auto mu = [](double beta1, int t) { return beta1 * (1 - 0.5 * std::pow(0.96, t * psi)); };
  d.step("1", "μ_1, μ_2, μ_10000, μ_100000", Numbers{mu(0.9, 1), mu(0.9, 2), mu(0.9, 10000), mu(0.9, 100000)});
  const double mu1 = mu(0.9, 1), mu2 = mu(0.9, 2);
  d.step("2", "part of m in the first step, in η", mu2 * 0.1 / (1 - mu1 * mu2));
  d.step("3", "part of g", (1 - mu1) / (1 - mu1));
  const double first = 1 + mu2 * 0.1 / (1 - mu1 * mu2);
  d.law("4", "first step, in η", first, lengths<optim::NAdam>({3}, optim::NAdamOptions{.eps = 1e-300})(0));
  d.step("5", "Dozat's first step", 1 + mu2 * (1 - mu1) / (1 - mu1 * mu2));
  // The second step, for a gradient of 3 and one of -3: v̂ = 9 as before.
  const double mu3 = mu(0.9, 3), product = mu1 * mu2;
  const double m2 = 0.9 * 0.1 * 3 + 0.1 * -3;
  const double m_hat = mu3 * m2 / (1 - product * mu3) + (1 - mu2) * -3 / (1 - product);
  d.step("6", "m_2", m2);
  d.law("7", "second step, in η", m_hat / 3, lengths<optim::NAdam>({3, -3}, optim::NAdamOptions{.eps = 1e-300})(1));
  d.law("8", "second step of Adam", m2 / left(0.9, 2) / 3, lengths<optim::Adam>({3, -3}, optim::AdamOptions{.eps = 1e-300})(1));
}

void radam() {
  Derivation d("optim-radam");
  constexpr double beta = 0.5;
  // The mean age of the gradients in v, and ρ, for β₂ = ½ and t = 3.
  double weights = 0, ages = 0;
  for (int k = 1; k <= 3; ++k) {
    weights += (1 - beta) * std::pow(beta, k - 1);
    ages += (1 - beta) * std::pow(beta, k - 1) * k;
  }
  d.step("1", "weights of ages 1, 2, 3", Numbers{0.5 / weights, 0.25 / weights, 0.125 / weights});
  d.step("2", "mean age", ages / weights);
  d.step("3", "mean age", 1 / (1 - beta) - 3 * std::pow(beta, 3) / left(beta, 3));
  d.step("4", "ρ_3", 2 * ages / weights - 1);
  d.step("5", "ρ_3", 2 / (1 - beta) - 1 - 2 * 3 * std::pow(beta, 3) / left(beta, 3));
  constexpr double beta2 = 0.999, end = 2 / (1 - beta2) - 1;
  const auto rho = [](int t) { return end - 2 * t * std::pow(beta2, t) / left(beta2, t); };
  d.step("6", "ρ_1 to ρ_6 by the defaults", each(6, [&](int64_t i) { return rho(static_cast<int>(i) + 1); }));
  d.step("7", "ρ in the end", end);
  // ∫ x^(ρ/2 - 1 - k) e^(-x/2) dx over ∫ x^(ρ/2 - 1) e^(-x/2) dx, by the gamma function.
  const auto moment = [](double r, double k) { return std::tgamma(r / 2 - k) / (std::pow(2, k) * std::tgamma(r / 2)); };
  d.law("8", "E[1/χ²] for ρ of 8", 1.0 / (8 - 2), moment(8, 1));
  d.law("9", "E[1/χ⁴] for ρ of 8", 1.0 / ((8 - 2) * (8 - 4)), moment(8, 2));
  const auto variance = [](double r) { return r / (2 * (r - 2) * (r - 4)); };
  d.step("10", "variance of 1/√v, approximately, for ρ of 5, 6, 100, 1999",
         Numbers{variance(5), variance(6), variance(100), variance(1999)});
  const auto rectified = [&](int t) {
    const double r = rho(t);
    return std::sqrt((r - 4) * (r - 2) * end / ((end - 4) * (end - 2) * r));
  };
  d.step("11", "r at steps 6, 100, 10000", Numbers{rectified(6), rectified(100), rectified(10000)});
  d.law("12", "r at step 6", std::sqrt(variance(end) / variance(rho(6))), rectified(6));
  const Numbers steps = lengths<optim::RAdam>(Row(6, 2), optim::RAdamOptions{.eps = 1e-300});
  d.law("13", "steps 1, 5, 6 of a gradient of 2, in η", Numbers{2, 2, rectified(6)}, Numbers{steps(0), steps(4), steps(5)});
  const Numbers by_4 = lengths<optim::RAdam>(Row(5, 2), optim::RAdamOptions{.eps = 1e-300, .threshold = 4});
  d.law("14", "step 5 with the threshold 4", rectified(5), by_4(4));
  // E[1/v] - E[1/√v]²; the logarithms of Γ, since Γ itself is too large at 1999.
  const auto exact = [](double r) { return r / (r - 2) - r / 2 * std::exp(2 * (std::lgamma((r - 1) / 2) - std::lgamma(r / 2))); };
  d.step("15", "variance of 1/√v, exactly, for ρ of 3, 4, 5, 6, 100, 1999",
         Numbers{exact(3), exact(4), exact(5), exact(6), exact(100), exact(1999)});
}

void adamax() {
  Derivation d("optim-adamax");
  const Numbers g = d.given("g_1, g_2", {4, 1});
  constexpr double beta2 = 0.5;
  const auto mean_of = [&](double p) {
    return std::pow((1 - std::pow(beta2, p)) * (std::pow(beta2 * g(0), p) + std::pow(g(1), p)), 1 / p);
  };
  d.step("1", "p-th roots for p of 2, 10, 40", Numbers{mean_of(2), mean_of(10), mean_of(40)});
  d.step("2", "u_2", std::max(beta2 * g(0), g(1)));
  double u = 0;
  for (const double gradient : g.values()) u = std::max(beta2 * u, gradient);
  d.step("3", "u_2", u);
  constexpr double eps = 0.5;
  d.step("4", "u_1, u_2 with ε 0.5", Numbers{g(0) + eps, std::max(beta2 * (g(0) + eps), g(1) + eps)});
  const double m2 = kBeta1 * (1 - kBeta1) * 4 + (1 - kBeta1) * 1;
  d.step("5", "m̂_2", m2 / left(kBeta1, 2));
  const Numbers steps = lengths<optim::Adamax>({4, 1}, optim::AdamaxOptions{.beta1 = kBeta1, .beta2 = beta2, .eps = eps});
  d.law("6", "steps, in η", Numbers{4 / 4.5, m2 / left(kBeta1, 2) / 2.25}, steps);
  d.step("7", "longest step by the defaults, in η", (1 - 0.9) / (1 - 0.9 / 0.999));
}

}  // namespace

int main() {
  adam();
  adamw();
  amsgrad();
  nadam();
  radam();
  adamax();
  return verdict();
}
