// act-elu, act-celu, act-selu: value and gradient line by line; and where SELU's two constants come from.
#include <cmath>

#include "docs/examples/derivation.h"
#include "docs/examples/normal.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double below(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }  // Φ(x)

// What the tape says of dy/dx at 0, for each α.
Numbers at_kink(const Numbers& alphas, const std::function<nn::Activation(double)>& f) {
  return each(alphas.shape()[0], [&](int64_t i) {
    const Tensor zero = tensor(0, DType::f64).set_requires_grad();
    return grad({f(alphas(i))(zero)}, {zero})[0].item();
  });
}

void elu(Derivation& d) {
  constexpr double alpha = 2;
  const Numbers x = d.given("x", {-std::log(4), -std::log(2), 1, 3});
  d.given("α", alpha);
  const Numbers g = d.given("g", {1, 2, -1, 0.5});

  d.step("h1", "e^x where x ≤ 0", each(2, [&](int64_t i) { return std::exp(x(i)); }));
  d.step("h2", "α(e^x - 1) where x ≤ 0", each(2, [&](int64_t i) { return alpha * (std::exp(x(i)) - 1); }));
  const Numbers y = each(4, [&](int64_t i) { return x(i) > 0 ? x(i) : alpha * (std::exp(x(i)) - 1); });
  d.step("h3", "y", y);

  d.step("1", "y", y);
  d.step("2", "dy/dx where x > 0", {1, 1});
  d.step("3", "dy/dx where x ≤ 0", each(2, [&](int64_t i) { return alpha * std::exp(x(i)); }));
  d.step("4", "dy/dx where x ≤ 0", each(2, [&](int64_t i) { return y(i) + alpha; }));
  const auto slope = [&](int64_t i) { return x(i) > 0 ? 1 : y(i) + alpha; };
  d.step("5", "dL/dx", each(4, [&](int64_t j) { return sum(4, [&](int64_t i) { return g(i) * delta(i, j) * slope(i); }); }));
  d.step("6", "dL/dx", each(4, [&](int64_t j) { return g(j) * slope(j); }));

  constexpr double h = 1e-12;
  const Numbers alphas{0.5, 1, 2};
  const Numbers left = each(3, [&](int64_t i) { return -alphas(i) * std::expm1(-h) / h; });
  d.step("7", "slopes just left of 0", left);
  d.law("8", "the tape's slopes at 0", at_kink(alphas, nn::act::elu), alphas);

  d.law("m1", "mean of max(0, z)", kBellAt0, mean_of([](double z) { return z; }, 0, 12));
  const double half = std::exp(0.5) * below(-1);
  d.law("m2", "e^½ Φ(-1)", half, mean_of([](double z) { return std::exp(z); }, -12, 0));
  d.law("m3", "mean of min(0, e^z - 1)", half - 0.5, mean_of([](double z) { return std::exp(z) - 1; }, -12, 0));
  d.law("m4", "mean of elu(z)", kBellAt0 + (half - 0.5), mean_of([](double z) { return z > 0 ? z : std::exp(z) - 1; }));

  d.gradient("dL/dx", nn::act::elu(alpha), x, g);
}

// A unit z = w a + b whose output is Gaussian with variance 1 around z, so that δ² is 1 on average: its Fisher matrix is the
// mean of ã ãᵀ with ã = (a, 1).
struct Natural {
  double aa, a;  // the means of a² and a
  Numbers fisher() const { return {{aa, a}, {a, 1}}; }
  double determinant() const { return aa * 1 - a * a; }
  Numbers of(const Numbers& g) const { return {(g(0) - a * g(1)) / determinant(), (aa * g(1) - a * g(0)) / determinant()}; }
};

Natural natural(const Numbers& a) {
  const int64_t n = a.shape()[0];
  const auto samples = static_cast<double>(n);
  return {sum(n, [&](int64_t s) { return a(s) * a(s); }) / samples, sum(n, [&](int64_t s) { return a(s); }) / samples};
}

double cosine(const Numbers& u, const Numbers& v) {
  const auto dot = [](const Numbers& p, const Numbers& q) { return p(0) * q(0) + p(1) * q(1); };
  return dot(u, v) / std::sqrt(dot(u, u) * dot(v, v));
}

void natural_gradient(Derivation& d) {
  const Numbers a = d.given("a", {0, 2}), g = d.given("g", {1, 1});
  const Natural uncentred = natural(a);
  d.step("n1", "F", uncentred.fisher());
  d.step("n2", "det F", uncentred.determinant());
  const Numbers direction = uncentred.of(g);
  d.step("n3", "F⁻¹ g", direction);
  d.law("n4", "F (F⁻¹ g)", each(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return uncentred.fisher()(i, j) * direction(j); }); }),
        g);
  d.step("n5", "cosine of g and F⁻¹ g", cosine(g, direction));
  const Numbers less_mean = each(2, [&](int64_t s) { return a(s) - uncentred.a; });
  d.step("n6", "F of a less its mean", natural(less_mean).fisher());
  d.step("n7", "cosine of g and F⁻¹ g, a less its mean", cosine(g, natural(less_mean).of(g)));
}

void celu() {
  Derivation d("act-celu");
  constexpr double alpha = 2;
  const Numbers x = d.given("x", {-2, -0.5, 1, 3});
  d.given("α", alpha);
  const Numbers g = d.given("g", {1, 2, -1, 0.5});

  const auto elu_1 = [](double u) { return u > 0 ? u : std::exp(u) - 1; };
  const auto elu_1_slope = [](double u) { return u > 0 ? 1 : std::exp(u); };
  const Numbers u = each(4, [&](int64_t i) { return x(i) / alpha; });
  const Numbers y = each(4, [&](int64_t i) { return x(i) > 0 ? x(i) : alpha * (std::exp(u(i)) - 1); });
  d.step("h1", "x / α", u);
  d.step("h2", "y", y);

  d.step("1", "y", each(4, [&](int64_t i) { return alpha * elu_1(u(i)); }));
  d.step("2", "dy/dx", each(4, [&](int64_t i) { return alpha * elu_1_slope(u(i)) * (1 / alpha); }));
  const Numbers slope = each(4, [&](int64_t i) { return x(i) > 0 ? 1 : std::exp(u(i)); });
  d.step("3", "dy/dx", slope);
  d.step("4", "1 + y/α where x ≤ 0", each(2, [&](int64_t i) { return 1 + y(i) / alpha; }));
  d.step("5", "dL/dx", each(4, [&](int64_t j) { return g(j) * slope(j); }));
  d.law("6", "the tape's slopes at 0", at_kink({0.5, 1, 2}, nn::act::celu), {1, 1, 1});

  d.gradient("dL/dx", nn::act::celu(alpha), x, g);
}

void selu() {
  Derivation d("act-selu");
  d.law("s1", "∫ z φ, z > 0", kBellAt0, mean_of([](double z) { return z; }, 0, 12));
  d.law("s2", "∫ z² φ, z > 0", 0.5, mean_of([](double z) { return z * z; }, 0, 12));
  const double first = std::exp(0.5) * below(-1), second = std::exp(2.0) * below(-2);
  d.law("s3", "∫ e^z φ and ∫ e^2z φ, z < 0", {first, second},
        {mean_of([](double z) { return std::exp(z); }, -12, 0), mean_of([](double z) { return std::exp(2 * z); }, -12, 0)});
  const double once = first - 0.5, twice = second - 2 * first + 0.5;
  d.law("s4", "I_1", once, mean_of([](double z) { return std::exp(z) - 1; }, -12, 0));
  d.law("s5", "I_2", twice, mean_of([](double z) { return std::pow(std::exp(z) - 1, 2); }, -12, 0));
  const double alpha = -kBellAt0 / once, scale = 1 / std::sqrt(0.5 + alpha * alpha * twice);
  d.law("s6", "α", alpha, nn::act::kSeluAlpha);
  d.law("s7", "λ", scale, nn::act::kSeluScale);

  const auto f = [&](double z) { return scale * (z > 0 ? z : alpha * (std::exp(z) - 1)); };
  d.law("s8", "mean of selu(z)", mean_of(f), 0);
  d.law("s9", "variance of selu(z)", mean_of([&](double z) { return f(z) * f(z); }), 1);

  // How the variance of selu(√v z) changes with v, at v = 1: the mean of f(z) f'(z) z.
  const auto slope_of = [&](double z) { return scale * (z > 0 ? 1 : alpha * std::exp(z)); };
  d.law("s10", "∫ z e^z φ and ∫ z e^2z φ, z < 0", {first - kBellAt0, 2 * second - kBellAt0},
        {mean_of([](double z) { return z * std::exp(z); }, -12, 0), mean_of([](double z) { return z * std::exp(2 * z); }, -12, 0)});
  const double right = scale * scale / 2, left = scale * scale * alpha * alpha * (2 * second - first);
  const auto moved = [&](double z) { return f(z) * slope_of(z) * z; };
  d.law("s11", "∫ f f' z φ, z > 0", right, mean_of(moved, 0, 12));
  d.law("s12", "∫ f f' z φ, z < 0", left, mean_of(moved, -12, 0));
  d.law("s13", "d(variance out) / d(variance in)", right + left, mean_of(moved));

  const Numbers x = d.given("x", {-2, -0.5, 1, 3});
  const Numbers g = d.given("g", {1, 2, -1, 0.5});
  const Numbers y = each(4, [&](int64_t i) { return f(x(i)); });
  d.step("1", "y", y);
  const Numbers slope = each(4, [&](int64_t i) { return slope_of(x(i)); });
  d.step("2", "dy/dx", slope);
  d.step("3", "dy/dx", each(4, [&](int64_t i) { return x(i) > 0 ? scale : y(i) + scale * alpha; }));
  d.step("4", "dL/dx", each(4, [&](int64_t j) { return g(j) * slope(j); }));

  d.gradient("dL/dx", nn::act::selu, x, g);
}

}  // namespace

int main() {
  Derivation d("act-elu");
  elu(d);
  natural_gradient(d);
  celu();
  selu();
  return verdict();
}
