// norm-layer and its relatives: the value and the gradient, line by line, on four numbers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double mean(int64_t n, const std::function<double(int64_t)>& f) { return sum(n, f) / static_cast<double>(n); }

// What becomes of a row of two numbers, of one, and of equal ones; without γ and β.
void short_rows(Derivation& d) {
  const auto norm = [](double eps) { return [eps](const Tensor& x) { return nn::layer_norm(x, {x.size(-1)}, {}, {}, eps); }; };
  d.law("18", "x̂ of [1, 2], without ε", {-1, 1}, norm(0)(Numbers{1, 2}));
  d.law("19", "x̂ of [5, -300], without ε", {1, -1}, norm(0)(Numbers{5, -300}));

  const Numbers pair{2, 8}, g_pair{1, 0};  // μ = 5, σ = 3
  const auto dx_of_pair = [&](double r, double x_hat) {
    const Numbers x_hats{-x_hat, x_hat};
    const double mean_g = 1.0 / 2, mean_gx = -x_hat / 2;
    return each(2, [&](int64_t j) { return (g_pair(j) - mean_g - x_hats(j) * mean_gx) / r; });
  };
  d.step("20", "dL/dx of [2, 8], without ε", dx_of_pair(3, 1));
  d.step("21", "dL/dx of [2, 8], with ε", dx_of_pair(4, 0.75));
  d.gradient("dL/dx of [2, 8], without ε", norm(0), pair, g_pair);
  d.gradient("dL/dx of [2, 8], with ε", norm(7), pair, g_pair);

  d.law("22", "x̂ of [7]", {0.0}, norm(0.25)(Numbers{7.0}));
  const Numbers equal{7, 7, 7, 7}, g{3, -1, 0, 2};  // mean(g) = 1, √ε = 0.5
  d.law("23", "x̂ of [7, 7, 7, 7]", {0, 0, 0, 0}, norm(0.25)(equal));
  d.step("24", "dL/dx of [7, 7, 7, 7]", each(4, [&](int64_t j) { return (g(j) - 1) / 0.5; }));
  d.gradient("dL/dx of [7, 7, 7, 7]", norm(0.25), equal, g);
}

void layer_norm() {
  Derivation d("norm-layer");
  const Numbers x = d.given("x", {4, 2, 3, 7});
  const Numbers gain = d.given("γ", {3, 1, 1, 2});
  const Numbers bias = d.given("β", {1, 0, 0, -1});
  const Numbers g = d.given("g", {1, -1, 0, 1});
  const double eps = d.given("ε", 0.5)(0);
  constexpr int64_t n = 4;

  const double mu = mean(n, [&](int64_t k) { return x(k); });
  const double variance = mean(n, [&](int64_t k) { return (x(k) - mu) * (x(k) - mu); });
  const double r = std::sqrt(variance + eps);
  const Numbers x_hat = each(n, [&](int64_t i) { return (x(i) - mu) / r; });
  const Numbers y = each(n, [&](int64_t i) { return gain(i) * x_hat(i) + bias(i); });
  d.step("h1", "μ", mu);
  d.step("h2", "x - μ", each(n, [&](int64_t i) { return x(i) - mu; }));
  d.step("h3", "σ²", variance);
  d.step("h4", "r", r);
  d.step("h5", "x̂", x_hat);
  d.step("h6", "y", y);

  d.step("1", "y", y);
  d.step("2", "dL/dβ", each(n, [&](int64_t i) { return g(i); }));
  d.step("3", "dL/dγ", each(n, [&](int64_t i) { return g(i) * x_hat(i); }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  d.step("4", "ĝ", g_hat);
  d.step("5", "∂μ/∂x", each(n, [&](int64_t) { return 1.0 / n; }));
  const auto d_centred = [&](int64_t k, int64_t j) { return delta(k, j) - 1.0 / n; };
  d.step("6", "∂(x_1 - μ)/∂x", each(n, [&](int64_t j) { return d_centred(0, j); }));
  d.step("7", "∂σ²/∂x", each(n, [&](int64_t j) { return sum(n, [&](int64_t k) { return 2 * (x(k) - mu) * d_centred(k, j); }) / n; }));
  const Numbers d_variance = each(n, [&](int64_t j) { return 2 * (x(j) - mu) / n; });
  d.step("8", "∂σ²/∂x", d_variance);
  d.step("9", "∂r/∂x", each(n, [&](int64_t j) { return d_variance(j) / (2 * r); }));
  const Numbers dr = each(n, [&](int64_t j) { return x_hat(j) / n; });
  d.step("10", "∂r/∂x", dr);
  d.step("11", "∂x̂_4/∂x", each(n, [&](int64_t j) { return d_centred(3, j) / r - (x(3) - mu) / (r * r) * dr(j); }));
  const auto jacobian = [&](int64_t i, int64_t j) { return (delta(i, j) - 1.0 / n - x_hat(i) * x_hat(j) / n) / r; };
  d.step("12", "∂x̂_4/∂x", each(n, [&](int64_t j) { return jacobian(3, j); }));
  d.step("13", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * jacobian(i, j); }); }));
  d.step("14", "dL/dx", each(n, [&](int64_t j) {
    return (g_hat(j) - sum(n, [&](int64_t i) { return g_hat(i); }) / n -
            x_hat(j) * sum(n, [&](int64_t i) { return g_hat(i) * x_hat(i); }) / n) /
           r;
  }));
  const double mean_g = mean(n, [&](int64_t i) { return g_hat(i); });
  const double mean_gx = mean(n, [&](int64_t i) { return g_hat(i) * x_hat(i); });
  const Numbers dx = each(n, [&](int64_t j) { return (g_hat(j) - mean_g - x_hat(j) * mean_gx) / r; });
  d.step("15", "dL/dx", dx);
  d.law("16", "Σ dL/dx", sum(n, [&](int64_t j) { return dx(j); }), 0);
  d.law("17", "Σ x̂ ⊙ dL/dx", sum(n, [&](int64_t j) { return x_hat(j) * dx(j); }),
        eps * sum(n, [&](int64_t i) { return g_hat(i) * x_hat(i); }) / std::pow(variance + eps, 1.5));

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::layer_norm(t, {n}, gain, bias, eps); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::layer_norm(x, {n}, t, bias, eps); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return nn::layer_norm(x, {n}, gain, t, eps); }, bias, g);
  short_rows(d);
}

// The same row without β.
void no_bias() {
  Derivation d("norm-nobias");
  const Numbers x = d.given("x", {4, 2, 3, 7});
  const Numbers gain = d.given("γ", {3, 1, 1, 2});
  const Numbers g = d.given("g", {1, -1, 0, 1});
  const double eps = d.given("ε", 0.5)(0);
  const double mu = 4, r = 2;
  const Numbers x_hat = each(4, [&](int64_t i) { return (x(i) - mu) / r; });
  const Numbers y = each(4, [&](int64_t i) { return gain(i) * x_hat(i); });
  d.law("1", "y", y, nn::layer_norm(x, {4}, gain, {}, eps));
  d.step("2", "dL/dγ", each(4, [&](int64_t i) { return g(i) * x_hat(i); }));
  const Numbers g_hat = each(4, [&](int64_t i) { return g(i) * gain(i); });
  const double mean_g = mean(4, [&](int64_t i) { return g_hat(i); });
  const double mean_gx = mean(4, [&](int64_t i) { return g_hat(i) * x_hat(i); });
  d.step("3", "dL/dx", each(4, [&](int64_t j) { return (g_hat(j) - mean_g - x_hat(j) * mean_gx) / r; }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::layer_norm(t, {4}, gain, {}, eps); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::layer_norm(x, {4}, t, {}, eps); }, gain, g);
}

}  // namespace

int main() {
  layer_norm();
  no_bias();
  return verdict();
}
