// norm-rms and its relatives: the value and the gradient, line by line, on four numbers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void rms_norm() {
  Derivation d("norm-rms");
  const Numbers x = d.given("x", {1, 2, 2, 4});
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;

  const double mean_square = sum(n, [&](int64_t k) { return x(k) * x(k); }) / n, r = std::sqrt(mean_square);
  d.step("h1", "mean(x²)", mean_square);
  d.step("h2", "r", r);
  d.step("h3", "x / r", each(n, [&](int64_t i) { return x(i) / r; }));
  d.step("h4", "y", each(n, [&](int64_t i) { return gain(i) * x(i) / r; }));
  d.law("h5", "‖x / r‖", std::sqrt(sum(n, [&](int64_t i) { return x(i) / r * x(i) / r; })), std::sqrt(n));

  d.step("1", "y", each(n, [&](int64_t i) { return gain(i) * x(i) / r; }));
  d.step("2", "dL/dγ", each(n, [&](int64_t i) { return g(i) * x(i) / r; }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  d.step("3", "ĝ", g_hat);
  d.step("4", "∂r/∂x", each(n, [&](int64_t j) { return x(j) / (n * r); }));
  d.step("5", "∂(x_1/r)/∂x", each(n, [&](int64_t j) { return delta(0, j) / r - x(0) / (r * r) * x(j) / (n * r); }));
  const auto jacobian = [&](int64_t i, int64_t j) { return delta(i, j) / r - x(i) * x(j) / (n * r * r * r); };
  d.step("6", "∂(x_1/r)/∂x", each(n, [&](int64_t j) { return jacobian(0, j); }));
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g_hat(i) * jacobian(i, j); }); }));
  const double m = sum(n, [&](int64_t i) { return g_hat(i) * x(i); }) / n;
  d.step("8", "dL/dx", each(n, [&](int64_t j) { return g_hat(j) / r - x(j) / (r * r * r) * m; }));
  const Numbers dx = each(n, [&](int64_t j) { return (g_hat(j) - x(j) * m / (r * r)) / r; });
  d.step("9", "dL/dx", dx);
  d.law("10", "Σ x ⊙ dL/dx", sum(n, [&](int64_t j) { return x(j) * dx(j); }), 0);
  constexpr double eps = 1e-5;
  const Tensor row = x.tensor().set_requires_grad();
  const Tensor by_tape = grad({nn::rms_norm(row, gain, eps)}, {row}, {.seeds = {g.tensor()}})[0];
  d.law("11", "Σ x ⊙ dL/dx with ε", eps * n * m / std::pow(mean_square + eps, 1.5), gradus::sum(x.tensor() * by_tape));

  d.gradient("dL/dx", [&](const Tensor& t) { return nn::rms_norm(t, gain, 0); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::rms_norm(x, t, 0); }, gain, g);
}

// A row of zeros has no direction; near it the gradient grows without bound.
void rms_norm_noeps() {
  Derivation d("norm-rms-noeps");
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers g_hat = each(4, [&](int64_t i) { return g(i) * gain(i); });
  const auto norm = [&](const Tensor& x) { return nn::rms_norm_noeps(x, gain); };
  const auto tape = [&](const Numbers& x) {
    const Tensor leaf = x.tensor().set_requires_grad();
    return Numbers(grad({norm(leaf)}, {leaf}, {.seeds = {g.tensor()}})[0]);
  };
  const auto dx_at = [&](double t) {  // of the row [t, 0, 0, 0]
    const double r = t / 2, m = g_hat(0) * t / 4;
    return each(4, [&](int64_t j) { return (g_hat(j) - (j == 0 ? t : 0) * m / (r * r)) / r; });
  };
  const Numbers two{2, 0, 0, 0}, zeros{0, 0, 0, 0};
  d.step("1", "dL/dγ at [2, 0, 0, 0]", each(4, [&](int64_t i) { return g(i) * two(i); }));
  d.step("2", "dL/dx at [2, 0, 0, 0]", dx_at(2));
  d.law("3", "dL/dx at [0.02, 0, 0, 0]", dx_at(0.02), tape({0.02, 0, 0, 0}));
  d.gradient("dL/dx at [2, 0, 0, 0]", norm, two, g);
  d.gradient("dL/dγ at [2, 0, 0, 0]", [&](const Tensor& t) { return nn::rms_norm_noeps(two, t); }, gain, g);

  d.law("4", "y at [0, 0, 0, 0]", zeros, norm(zeros));
  d.law("5", "dL/dx at [0, 0, 0, 0]", g_hat, tape(zeros));
}

// Divided by the length. Then what one step on γ does to y, beside RMSNorm.
void rms_norm_l2() {
  Derivation d("norm-rms-l2");
  const Numbers x = d.given("x", {1, 2, 2, 4});
  const Numbers gain = d.given("γ", {1, 1, 2, 1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;

  const double length = std::sqrt(sum(n, [&](int64_t k) { return x(k) * x(k); })), r = length / std::sqrt(n);
  d.step("1", "ℓ", length);
  d.step("2", "y", each(n, [&](int64_t i) { return gain(i) * x(i) / length; }));
  d.step("3", "dL/dγ", each(n, [&](int64_t i) { return g(i) * x(i) / length; }));
  const Numbers g_hat = each(n, [&](int64_t i) { return g(i) * gain(i); });
  const auto d_length = [&](int64_t j) { return x(j) / length; };
  d.step("4", "∂ℓ/∂x", each(n, d_length));
  d.step("5", "dL/dx", each(n, [&](int64_t j) {
    return sum(n, [&](int64_t i) { return g_hat(i) * (delta(i, j) / length - x(i) / (length * length) * d_length(j)); });
  }));
  const double along = sum(n, [&](int64_t i) { return g_hat(i) * x(i); });
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return (g_hat(j) - x(j) * along / (length * length)) / length; }));
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::rms_norm_l2(t, gain, 0); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::rms_norm_l2(x, t, 0); }, gain, g);

  // γ moves by -η dL/dγ, or by -η sign(dL/dγ); y moves by that times x over the size.
  constexpr double eta = 0.1;
  const auto by_sgd = [&](double size) { return each(n, [=](int64_t i) { return -eta * g(i) * x(i) / size * x(i) / size; }); };
  const auto sign = [](double a) { return static_cast<double>(a > 0) - static_cast<double>(a < 0); };
  const auto by_sign = [&](double size) { return each(n, [=](int64_t i) { return -eta * sign(g(i) * x(i)) * x(i) / size; }); };
  d.step("7", "Δy of norm-rms by SGD", by_sgd(r));
  d.step("8", "Δy by SGD", by_sgd(length));
  d.law("9", "ratio by SGD", by_sgd(length)(0) / by_sgd(r)(0), 1.0 / n);
  d.step("10", "Δy of norm-rms by sign", by_sign(r));
  d.step("11", "Δy by sign", by_sign(length));
  d.law("12", "ratio by sign", by_sign(length)(0) / by_sign(r)(0), 1 / std::sqrt(n));
  d.step("13", "ratio by SGD for 64 numbers", 1.0 / 64);
  d.step("14", "ratio by sign for 64 numbers", 1 / std::sqrt(64));
}

// The nearest number that f16 has: 11 significant binary digits, up to 65504.
double f16(double a) {
  int exponent = 0;
  std::frexp(a, &exponent);
  const double unit = std::ldexp(1, exponent - 11), rounded = std::nearbyint(a / unit) * unit;
  return std::abs(rounded) > 65504 ? std::copysign(INFINITY, a) : rounded;
}

void upcast() {
  Derivation d("norm-upcast");
  const auto half = [](const Numbers& a) { return cast(a.tensor(), DType::f16); };
  const Numbers x = d.given("x", {300, 0, 0, 0});
  const Numbers g = d.given("g", {1, 2, 0, 1});
  d.law("1", "300² in f16", f16(300 * 300), square(half(300)));
  d.law("2", "y, all in f16", each(4, [&](int64_t i) { return x(i) / f16(300 * 300); }), nn::formula::rms_norm(half(x), {}, 1e-5));
  const double r = std::sqrt(300.0 * 300 / 4);
  d.step("3", "r in f32", r);
  d.law("4", "y", each(4, [&](int64_t i) { return f16(x(i) / r); }), nn::rms_norm_upcast(half(x)));
  const double m = sum(4, [&](int64_t i) { return g(i) * x(i); }) / 4;
  const Numbers wide = each(4, [&](int64_t j) { return (g(j) - x(j) * m / (r * r)) / r; });
  d.step("5", "dL/dx in f32", wide);
  const Tensor leaf = half(x).set_requires_grad();
  d.law("6", "dL/dx", each(4, [&](int64_t j) { return f16(wide(j)); }), grad({nn::rms_norm_upcast(leaf)}, {leaf}, {.seeds = {half(g)}})[0]);
  d.step("7", "dL/dγ", each(4, [&](int64_t i) { return g(i) * x(i) / r; }));
  const Numbers ones{1, 1, 1, 1};
  d.gradient("dL/dx in f32", [&](const Tensor& t) { return nn::rms_norm_upcast(t, ones, 0); }, x,
             g);  // in f64 nothing is cast
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::rms_norm_upcast(x, t, 0); }, ones, g);

  // One rounding, or two.
  const Numbers row{1, 2}, gain{3, 3};
  const Numbers exact = each(2, [&](int64_t i) { return row(i) / std::sqrt(2.5) * 3; });
  d.step("8", "y of [1, 2], not rounded", exact);
  d.law("9", "y of [1, 2], γ before the cast", each(2, [&](int64_t i) { return f16(exact(i)); }),
        nn::rms_norm_upcast(half(row), half(gain), 0, nn::GainOrder::before_cast));
  d.law("10", "y of [1, 2], γ after the cast", each(2, [&](int64_t i) { return f16(f16(row(i) / std::sqrt(2.5)) * 3); }),
        nn::rms_norm_upcast(half(row), half(gain), 0, nn::GainOrder::after_cast));
}

void scale_norm() {
  Derivation d("norm-scale");
  const Numbers x = d.given("x", {1, 2, 2, 4});
  const Numbers gain = d.given("γ", 2);
  const Numbers g = d.given("g", {1, 0, 1, -1});
  constexpr int64_t n = 4;
  const double length = std::sqrt(sum(n, [&](int64_t k) { return x(k) * x(k); }));
  d.step("1", "ℓ", length);
  d.step("2", "y", each(n, [&](int64_t i) { return gain(0) * x(i) / length; }));
  d.step("3", "dL/dγ", sum(n, [&](int64_t i) { return g(i) * x(i) / length; }));
  const auto jacobian = [&](int64_t i, int64_t j) { return gain(0) * (delta(i, j) / length - x(i) / (length * length) * x(j) / length); };
  d.step("4", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * jacobian(i, j); }); }));
  const double along = sum(n, [&](int64_t i) { return g(i) * x(i); });
  const Numbers dx = each(n, [&](int64_t j) { return gain(0) * (g(j) - x(j) * along / (length * length)) / length; });
  d.step("5", "dL/dx", dx);
  d.law("6", "Σ x ⊙ dL/dx", sum(n, [&](int64_t j) { return x(j) * dx(j); }), 0);
  d.gradient("dL/dx", [&](const Tensor& t) { return nn::scale_norm(t, gain, 0); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return nn::scale_norm(x, t, 0); }, gain, g);
}

}  // namespace

int main() {
  rms_norm();
  rms_norm_noeps();
  rms_norm_l2();
  upcast();
  scale_norm();
  return verdict();
}
