// Placements of norms: one sublayer's value and gradient, line by line, and what a stack of them does.
#include <cmath>

#include "docs/examples/placed.h"
#include "nn/norm/rms_norm.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

nn::LayerPtr make_rms() { return std::make_unique<nn::RMSNorm>(2, nn::RMSNormOptions{.eps = 0, .gain = false}); }

void residual() {
  Derivation d("block-residual");
  const Numbers x = d.given("x", {2, 4});
  const Numbers g = d.given("g", {1, 2});
  const auto value = [](const Numbers& v) { return Numbers{v(0) * v(1) / 4, v(0) / 2}; };
  const auto jacobian = [](const Numbers& v) { return Numbers{{v(1) / 4, v(0) / 4}, {0.5, 0}}; };
  const Numbers f = value(x), j1 = jacobian(x);
  d.step("h1", "f(x)", f);
  const Numbers y = each(2, [&](int64_t i) { return x(i) + f(i); });
  d.step("h2", "y", y);
  const Numbers second = value(y);
  d.step("h3", "z", each(2, [&](int64_t i) { return y(i) + second(i); }));

  d.step("1", "y", each(2, [&](int64_t i) { return x(i) + f(i); }));
  d.step("2", "∂y_1/∂x", each(2, [&](int64_t j) { return delta(0, j) + j1(0, j); }));
  d.step("3", "dL/dx", each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return g(i) * (delta(i, j) + j1(i, j)); }); }));
  const auto back = [](const Numbers& j, const Numbers& v) {  // Jᵀ v
    return each(2, [&](int64_t k) { return sum(2, [&](int64_t i) { return v(i) * j(i, k); }); });
  };
  const Numbers through = back(j1, g);
  d.step("4", "Jᵀg", through);
  d.step("5", "dL/dx", each(2, [&](int64_t j) { return g(j) + through(j); }));
  d.step("6", "dL/df", each(2, [&](int64_t i) { return g(i); }));
  const Function library = [](const Tensor& t) {
    const Tensor a = slice(t, -1, 0, 1), b = slice(t, -1, 1);
    return cat({a * b / 4, a / 2}, -1);
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("residual", t, {library}); }, x, g);
  d.gradient("dL/df", [&](const Tensor& t) { return placed("residual", x, {[&](const Tensor&) { return t; }}); }, f, g);

  // Two of them: the product, written out.
  const Numbers j2 = jacobian(y);
  const auto times = [](const Numbers& a, const Numbers& b) {
    return each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t k) { return a(i, k) * b(k, j); }); });
  };
  const auto with_identity = [](const Numbers& a) { return each(2, 2, [&](int64_t i, int64_t j) { return delta(i, j) + a(i, j); }); };
  const Numbers both = times(j2, j1);
  d.step("7", "∂z/∂x", times(with_identity(j2), with_identity(j1)));
  d.step("8", "∂z/∂x", each(2, 2, [&](int64_t i, int64_t j) { return delta(i, j) + j1(i, j) + j2(i, j) + both(i, j); }));
  const Numbers a = back(j1, g), b = back(j2, g), c = back(j1, b);
  d.step("9", "dL/dx of two", each(2, [&](int64_t j) { return g(j) + a(j) + b(j) + c(j); }));
  d.step("10", "dL/dx of two, without the identities", c);
  d.gradient("dL/dx of two", [&](const Tensor& t) { return placed("residual", t, {library, library}); }, x, g);

  // Eight sublayers whose Jacobian is the number a.
  const Numbers slopes = d.given("a", {0.1, 0.5, -0.5, -1});
  d.step("11", "a⁸", for_each_of(slopes, [](double s) { return std::pow(s, 8); }));
  d.step("12", "(1 + a)⁸", for_each_of(slopes, [](double s) { return std::pow(1 + s, 8); }));
  const auto choose = [](int64_t n, int64_t k) {
    double result = 1;
    for (int64_t i = 0; i < k; ++i) result = result * static_cast<double>(n - i) / static_cast<double>(i + 1);
    return result;
  };
  d.law("13", "paths", each(9, [&](int64_t k) { return choose(8, k); }), {1, 8, 28, 56, 70, 56, 28, 8, 1});
  d.step("14", "what they carry at 0.1", each(9, [&](int64_t k) { return choose(8, k) * std::pow(0.1, static_cast<double>(k)); }));
  d.law("15", "their sum", sum(9, [&](int64_t k) { return choose(8, k) * std::pow(0.1, static_cast<double>(k)); }), std::pow(1.1, 8));
  const Numbers gains = d.given("c", {0.01, 0.25, 1});
  d.step("16", "√(1 + c)⁸", for_each_of(gains, [](double k) { return std::pow(1 + k, 4); }));
}

void pre() {
  Derivation d("block-pre");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  const double mu = mean(x), r = deviation(x);
  d.step("h1", "μ", mu);
  d.step("h2", "r", r);
  const Numbers hat = each(n, [&](int64_t i) { return (x(i) - mu) / r; });
  d.step("h3", "x̂", hat);
  const Numbers f = each(n, [&](int64_t i) { return right(hat, i); });
  d.step("h4", "f(x̂)", f);
  d.step("h5", "y", each(n, [&](int64_t i) { return x(i) + f(i); }));

  d.step("1", "y", each(n, [&](int64_t i) { return x(i) + f(i); }));
  const auto df = [](int64_t i, int64_t k) { return delta((i + 1) % 4, k); };
  const auto d_hat = [&](int64_t k, int64_t j) { return (delta(k, j) - 0.25 - hat(k) * hat(j) / n) / r; };
  d.step("2", "∂y_1/∂x", each(n, [&](int64_t j) { return delta(0, j) + sum(n, [&](int64_t k) { return df(0, k) * d_hat(k, j); }); }));
  d.step("3", "dL/dx", each(n, [&](int64_t j) {
    return sum(n, [&](int64_t i) { return g(i) * (delta(i, j) + sum(n, [&](int64_t k) { return df(i, k) * d_hat(k, j); })); });
  }));
  const Numbers q = each(n, [&](int64_t k) { return sum(n, [&](int64_t i) { return g(i) * df(i, k); }); });
  d.step("4", "q", q);
  const Numbers branch = norm_back(q, hat, r);
  d.step("5", "u", branch);
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return g(j) + branch(j); }));
  d.law("7", "Σ u", sum(n, [&](int64_t j) { return branch(j); }), 0);
  d.law("8", "Σ x̂ ⊙ u", sum(n, [&](int64_t j) { return branch(j) * hat(j); }), 0);
  d.step("9", "‖u‖", length(branch));
  d.step("10", "‖q‖ / r", length(q) / r);
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("pre", t, {shift()}); }, x, g);

  // The stack: sublayers that each add a variance of 1.
  const Numbers variance = each(5, [](int64_t l) { return 1.0 + static_cast<double>(l); });
  d.step("v1", "Var(x_l), l to 4", variance);
  const Numbers factors = each(4, [&](int64_t l) { return 1 + 1 / variance(l); });
  d.step("v2", "1 + c/σ², l to 3", factors);
  d.law("v3", "their product", factors(0) * factors(1) * factors(2) * factors(3), variance(4) / variance(0));
  const Numbers blocks = d.given("N", {6, 12, 24, 48});
  d.step("v4", "Var(x_2N)", for_each_of(blocks, [](double N) { return 1 + 2 * N * 0.5; }));
  d.step("v5", "σ_2N / σ_0", for_each_of(blocks, [](double N) { return std::sqrt(1 + N); }));
  d.step("v6", "σ_2N / σ_2", for_each_of(blocks, [](double N) { return std::sqrt((1 + N) / 2); }));
  d.step("v7", "1 / σ_2N", for_each_of(blocks, [](double N) { return 1 / std::sqrt(1 + N); }));
  d.step("v8", "log₁₀ Var(x_2N) without norms", for_each_of(blocks, [](double N) { return 2 * N * std::log10(1.5); }));
  const auto stretch = [&](int64_t l) { return 1 + 1 / std::sqrt(variance(l)); };
  d.step("v9", "Π (1 + 1/σ), l to 3", stretch(0) * stretch(1) * stretch(2) * stretch(3));
}

void post() {
  Derivation d("block-post");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  d.step("h1", "f(x)", each(n, [&](int64_t i) { return right(x, i); }));
  const Numbers z = each(n, [&](int64_t i) { return x(i) + right(x, i); });
  d.step("h2", "z", z);
  d.step("h3", "μ", mean(z));
  const double r = deviation(z);
  d.step("h4", "r", r);
  const Numbers y = each(n, [&](int64_t i) { return (z(i) - mean(z)) / r; });
  d.step("h5", "y", y);
  d.step("1", "z", z);
  d.step("2", "r", r);
  d.step("3", "y", y);
  const Numbers dz = norm_back(g, y, r);
  d.step("4", "dL/dz", dz);
  const auto df = [](int64_t i, int64_t k) { return delta((i + 1) % 4, k); };
  d.step("5", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return dz(i) * (delta(i, j) + df(i, j)); }); }));
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return dz(j) + left(dz, j); }));
  d.law("7", "Σ z ⊙ dL/dz", sum(n, [&](int64_t i) { return z(i) * dz(i); }), 0);
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("post", t, {shift()}); }, x, g);

  const Numbers v = d.given("v", {0.01, 0.25, 1});
  d.step("w1", "1 / √(1 + v)", for_each_of(v, [](double c) { return 1 / std::sqrt(1 + c); }));
  d.step("w2", "left after 24 sublayers", for_each_of(v, [](double c) { return std::pow(1 + c, -12); }));
  const Numbers back = d.given("v′", {0.5, 1, 2});
  d.step("w3", "√((1 + v′)/(1 + v)) at v 1", for_each_of(back, [](double c) { return std::sqrt((1 + c) / 2); }));
  d.step("w4", "over 24 sublayers", for_each_of(back, [](double c) { return std::pow((1 + c) / 2, 12); }));
}

void sandwich() {
  Derivation d("block-sandwich");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  const double r = deviation(x);
  const Numbers hat = each(n, [&](int64_t i) { return (x(i) - mean(x)) / r; });
  const Numbers f = each(n, [&](int64_t i) { return 5 * right(hat, i); });
  const double r2 = deviation(f);
  const Numbers w = each(n, [&](int64_t i) { return (f(i) - mean(f)) / r2; });
  const Numbers y = each(n, [&](int64_t i) { return x(i) + w(i); });
  d.step("h1", "x̂", hat);
  d.step("h2", "f", f);
  d.step("h3", "r′", r2);
  d.step("h4", "w", w);
  d.step("h5", "y", y);
  d.step("1", "x̂", hat);
  d.step("2", "f", f);
  d.step("3", "r′", r2);
  d.step("4", "w", w);
  d.step("5", "y", y);
  const Numbers df = norm_back(g, w, r2);
  d.step("6", "dL/df", df);
  const Numbers q = each(n, [&](int64_t k) { return 5 * left(df, k); });
  d.step("7", "q", q);
  const Numbers u = norm_back(q, hat, r);
  d.step("8", "u", u);
  d.step("9", "dL/dx", each(n, [&](int64_t j) { return g(j) + u(j); }));
  d.law("10", "Σ f ⊙ dL/df", sum(n, [&](int64_t i) { return f(i) * df(i); }), 0);
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("sandwich", t, {shift(5)}); }, x, g);
  const Numbers blocks = d.given("N", {6, 12, 24, 48});
  d.step("v1", "Var(x_2N)", for_each_of(blocks, [](double N) { return 1 + 2 * N; }));
  d.step("v2", "σ_2N / σ_2", for_each_of(blocks, [](double N) { return std::sqrt((1 + 2 * N) / 3); }));
}

void output_norm() {
  Derivation d("block-output-norm");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  const Numbers f = each(n, [&](int64_t i) { return 3 * right(x, i); });
  d.step("1", "f", f);
  const double r = deviation(f);
  d.step("2", "r", r);
  const Numbers w = each(n, [&](int64_t i) { return (f(i) - mean(f)) / r; });
  d.step("3", "w", w);
  d.step("4", "y", each(n, [&](int64_t i) { return x(i) + w(i); }));
  const Numbers df = norm_back(g, w, r);
  d.step("5", "dL/df", df);
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return g(j) + 3 * left(df, j); }));
  d.law("7", "Σ f ⊙ dL/df", sum(n, [&](int64_t i) { return f(i) * df(i); }), 0);
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("output", t, {shift(3)}); }, x, g);
}

void residual_scale() {
  Derivation d("block-residual-scale");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  const double s = 1 / std::sqrt(4.0);
  d.step("1", "s", s);
  d.step("2", "y", each(n, [&](int64_t i) { return x(i) + s * right(x, i); }));
  d.step("3", "dL/df", each(n, [&](int64_t i) { return s * g(i); }));
  d.step("4", "dL/dx", each(n, [&](int64_t j) { return g(j) + s * left(g, j); }));
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("residual-scale", t, {shift()}, 4); }, x, g);
  const Numbers blocks = d.given("N", {6, 12, 24, 48});
  d.step("v1", "(1 + 1/(2N))^(2N)", for_each_of(blocks, [](double N) { return std::pow(1 + 1 / (2 * N), 2 * N); }));
  d.law("v2", "1 + 2N s²", for_each_of(blocks, [](double N) { return 1 + 2 * N / (2 * N); }), {2, 2, 2, 2});
}

// Quarter turns that are 4 and 12 times as loud as what the norm gives: the stream has sizes 3, 5, 13.
void gradients() {
  Derivation d("block-gradients");
  const Numbers x0 = d.given("x₀", {3, 3});
  const Numbers g = d.given("g", {1, 0});
  const auto size = [](const Numbers& x) { return std::sqrt((x(0) * x(0) + x(1) * x(1)) / 2); };
  const auto turned = [](const Numbers& x) { return Numbers{-x(1), x(0)}; };
  const auto turned_back = [](const Numbers& x) { return Numbers{x(1), -x(0)}; };
  const auto plus = [](const Numbers& a, double c, const Numbers& b) { return each(2, [&](int64_t i) { return a(i) + c * b(i); }); };
  const auto over = [](const Numbers& a, double c) { return each(2, [&](int64_t i) { return a(i) / c; }); };
  const auto norm_back_2 = [&](const Numbers& q, const Numbers& x) {  // RMS norm backward, x given unnormed
    const double r = size(x), m = (q(0) * x(0) + q(1) * x(1)) / 2;
    return each(2, [&](int64_t j) { return (q(j) - x(j) * m / (r * r)) / r; });
  };
  const Numbers x1 = plus(x0, 4 / size(x0), turned(x0)), x2 = plus(x1, 12 / size(x1), turned(x1));
  d.step("1", "x₁", x1);
  d.step("2", "x₂", x2);
  d.step("3", "σ", {size(x0), size(x1), size(x2)});
  const Numbers d2 = norm_back_2(g, x2);
  d.step("4", "dL/dx₂", d2);
  const auto through_pre = [&](const Numbers& gradient, double c, const Numbers& x) {
    return plus(gradient, 1, norm_back_2(over(turned_back(gradient), 1 / c), x));
  };
  const Numbers d1 = through_pre(d2, 12, x1), d0 = through_pre(d1, 4, x0);
  d.step("5", "dL/dx₁", d1);
  d.step("6", "dL/dx₀", d0);
  d.step("7", "‖dL/dx‖, pre", {length(d0), length(d1), length(d2)});
  const auto turn = [](double c) { return [c](const Tensor& t) { return c * cat({-slice(t, -1, 1), slice(t, -1, 0, 1)}, -1); }; };
  const auto library = [&](const char* name, double a, double b) {
    return [=](const Tensor& t) {
      const Tensor top = placed(name, t, {turn(a), turn(b)}, 1, make_rms);
      return std::string(name) == "pre" ? nn::rms_norm(top, ones({2}, DType::f64), 0) : top;
    };
  };
  d.gradient("dL/dx₀", library("pre", 4, 12), x0, g);

  // The same relative loudness with post-norm.
  const Numbers y0 = over(x0, 3), y1 = over(x1, 5), y2 = over(x2, 13);
  d.law("8", "y of both", y2, library("pre", 4, 12)(x0));
  d.law("9", "y, post", y2, library("post", 4.0 / 3, 12.0 / 5)(y0));
  const auto through_post = [&](const Numbers& gradient, double c, const Numbers& x) {
    const Numbers dz = norm_back_2(gradient, plus(x, c, turned(x)));
    return plus(dz, c, turned_back(dz));
  };
  const Numbers p1 = through_post(g, 12.0 / 5, y1), p0 = through_post(p1, 4.0 / 3, y0);
  d.step("10", "dL/dx₁, post", p1);
  d.step("11", "dL/dx₀, post", p0);
  d.step("12", "‖dL/dx‖, post", {length(p0), length(p1), length(g)});
  d.gradient("dL/dx₀, post", library("post", 4.0 / 3, 12.0 / 5), y0, g);
}

}  // namespace

int main() {
  residual();
  pre();
  post();
  sandwich();
  output_norm();
  residual_scale();
  gradients();
  return verdict();
}
