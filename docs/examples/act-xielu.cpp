// act-solu, act-xielu and act-poly-norm: a gate made of the row, two trained sides, a trained polynomial.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void solu() {
  Derivation d("act-solu");
  const Numbers x = d.given("x", {0, std::log(2), std::log(5)});
  const Numbers g = d.given("g", {1, -1, 2});
  constexpr int64_t n = 3;

  const double total = sum(n, [&](int64_t i) { return std::exp(x(i)); });
  const Numbers p = each(n, [&](int64_t i) { return std::exp(x(i)) / total; });
  d.step("1", "p", p);
  const Numbers y = each(n, [&](int64_t i) { return x(i) * p(i); });
  d.step("2", "y", y);
  const auto dp = [&](int64_t i, int64_t j) { return p(i) * (delta(i, j) - p(j)); };
  d.step("3", "∂p_2/∂x", each(n, [&](int64_t j) { return dp(1, j); }));
  const auto dy = [&](int64_t i, int64_t j) { return delta(i, j) * p(i) + x(i) * dp(i, j); };
  d.step("4", "∂y_2/∂x", each(n, [&](int64_t j) { return dy(1, j); }));
  d.step("5", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * dy(i, j); }); }));
  const double along = sum(n, [&](int64_t i) { return g(i) * y(i); });
  d.step("6", "Σ g ⊙ y", along);
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return g(j) * p(j) + p(j) * (g(j) * x(j) - along); }));
  d.gradient("dL/dx", [](const Tensor& t) { return nn::solu(t); }, x, g);
}

void xielu() {
  Derivation d("act-xielu");
  const double ln2 = std::log(2);
  const Numbers x = d.given("x", {-2 * ln2, -ln2, 1, 2});
  const Numbers right = d.given("α_p", 0.75), left = d.given("α_n", 1);
  const double beta = 0.5;
  d.given("β", beta);
  const Numbers g = d.given("g", {4, -2, 1, 2});
  constexpr int64_t n = 4;

  const Numbers u = each(n, [&](int64_t i) { return std::max(0.0, x(i)); });
  const Numbers m = each(n, [&](int64_t i) { return std::min(0.0, x(i)); });
  d.step("1", "u", u);
  d.step("2", "m", m);
  const Numbers below = each(n, [&](int64_t i) { return std::exp(m(i)) - 1 - m(i); });
  d.step("3", "e^m - 1 - m", below);
  d.step("4", "y", each(n, [&](int64_t i) { return right(0) * u(i) * u(i) + left(0) * below(i) + beta * x(i); }));
  const Numbers slope = each(n, [&](int64_t i) { return 2 * right(0) * u(i) + left(0) * (std::exp(m(i)) - 1) + beta; });
  d.step("5", "dy/dx", slope);
  d.step("6", "dL/dx", each(n, [&](int64_t i) { return g(i) * slope(i); }));
  const double d_right = sum(n, [&](int64_t i) { return g(i) * u(i) * u(i); });
  d.step("7", "dL/dα_p", d_right);
  const double d_left = sum(n, [&](int64_t i) { return g(i) * below(i); });
  d.step("8", "dL/dα_n", d_left);
  d.step("9", "dL/da", d_right * (1 - std::exp(-right(0))));
  d.step("10", "dL/db", d_left * (1 - std::exp(-(left(0) - beta))));

  const auto y_of = [&](const Tensor& t, const Tensor& p, const Tensor& q) { return nn::xielu(t, p, q, beta); };
  d.gradient("dL/dx", [&](const Tensor& t) { return y_of(t, right, left); }, x, g);
  d.gradient("dL/dα_p", [&](const Tensor& t) { return y_of(x, t, left); }, right, g);
  d.gradient("dL/dα_n", [&](const Tensor& t) { return y_of(x, right, t); }, left, g);
  const Numbers a = std::log(std::expm1(right(0))), b = std::log(std::expm1(left(0) - beta));
  d.gradient("dL/da", [&](const Tensor& t) { return y_of(x, nn::act::softplus(t), left); }, a, g);
  d.gradient("dL/db", [&](const Tensor& t) { return y_of(x, right, beta + nn::act::softplus(t)); }, b, g);

  const Tensor near = tensor({-1e-16, 0, 1e-16}, DType::f64).set_requires_grad();
  d.law("k1", "the tape's slopes to the left of 0, at it, to its right", grad({sum(y_of(near, right, left))}, {near})[0], {0.5, 0.5, 0.5});
  d.step("k2", "where y is least, at the start", std::log(1 - beta / 0.8));
}

void poly_norm() {
  Derivation d("act-poly-norm");
  const Numbers x = d.given("x", {-1, 7});
  const Numbers a = d.given("a", {1, 2, -1});
  const Numbers b = d.given("b", 0.5);
  const Numbers g = d.given("g", {1, -2});
  constexpr int64_t n = 2;  // ε = 0

  const auto u = [&](int64_t i, int64_t k) { return std::pow(x(k), static_cast<double>(i + 1)); };
  d.step("1", "u", each(3, n, u));
  const Numbers r = each(3, [&](int64_t i) { return std::sqrt(sum(n, [&](int64_t k) { return u(i, k) * u(i, k); }) / n); });
  d.step("2", "r", r);
  const Numbers normed = each(3, n, [&](int64_t i, int64_t k) { return u(i, k) / r(i); });
  d.step("3", "N", normed);
  d.step("4", "y", each(n, [&](int64_t k) { return sum(3, [&](int64_t i) { return a(i) * normed(i, k); }) + b(0); }));
  d.step("5", "dL/db", sum(n, [&](int64_t k) { return g(k); }));
  d.step("6", "dL/da", each(3, [&](int64_t i) { return sum(n, [&](int64_t k) { return g(k) * normed(i, k); }); }));
  const Numbers du = each(3, n, [&](int64_t i, int64_t k) {
    const double along = sum(n, [&](int64_t j) { return g(j) * normed(i, j); }) / n;
    return a(i) * (g(k) - normed(i, k) * along) / r(i);
  });
  d.step("7", "dL/du", du);
  const auto power = [&](int64_t i, int64_t k) { return static_cast<double>(i + 1) * std::pow(x(k), static_cast<double>(i)); };
  d.step("8", "du/dx", each(3, n, power));
  const Numbers dx = each(n, [&](int64_t k) { return sum(3, [&](int64_t i) { return power(i, k) * du(i, k); }); });
  d.step("9", "dL/dx", dx);
  d.law("10", "Σ x ⊙ dL/dx", sum(n, [&](int64_t k) { return x(k) * dx(k); }), 0);

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::poly_norm(t, a, b, 0); }, x, g);
  d.gradient("dL/da", [&](const Tensor& t) { return nn::poly_norm(x, t, b, 0); }, a, g);
  d.gradient("dL/db", [&](const Tensor& t) { return nn::poly_norm(x, a, t, 0); }, b, g);
}

}  // namespace

int main() {
  solu();
  xielu();
  poly_norm();
  return verdict();
}
