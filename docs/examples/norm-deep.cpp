// norm-deep: LN(αx + f(x)) and its gradient, line by line, and what α and β are for stacks of 6, 12 and 100 layers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "docs/examples/sublayers.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// A step of the library's placement, around a sublayer and with the α of `layers` layers.
Tensor step(const Tensor& x, const Function& f, int64_t layers) {
  const auto make_norm = [] {
    return std::make_unique<nn::LayerNorm>(Shape{4}, nn::LayerNormOptions{.eps = 0, .gain = false, .bias = false});
  };
  nn::DeepNorm placement(
      {.make_norm = make_norm, .d_model = 4, .sublayers = {nn::SublayerKind::feed_forward}, .stack = {.layers = layers}});
  return around({f}, placement, {x}).x;
}

void deep_norm(Derivation& d) {
  const Numbers x = d.given("x", {2, 1, -1, 0});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const double layers = d.given("N", 8)(0);
  constexpr int64_t n = 4;

  const double alpha = std::pow(2 * layers, 0.25);
  d.step("h1", "α", alpha);
  d.step("h2", "β", std::pow(8 * layers, -0.25));
  const Numbers f = each(n, [&](int64_t i) { return x((i + 1) % n); });
  d.step("h3", "f(x)", f);
  const Numbers z = each(n, [&](int64_t i) { return alpha * x(i) + f(i); });
  d.step("h4", "z", z);
  const double mu = sum(n, [&](int64_t i) { return z(i); }) / n;
  d.step("h5", "μ", mu);
  const double r = std::sqrt(sum(n, [&](int64_t i) { return (z(i) - mu) * (z(i) - mu); }) / n);
  d.step("h6", "r", r);
  const Numbers y = each(n, [&](int64_t i) { return (z(i) - mu) / r; });
  d.step("h7", "y", y);

  d.step("1", "z", each(n, [&](int64_t i) { return alpha * x(i) + f(i); }));
  const double mean_g = sum(n, [&](int64_t i) { return g(i); }) / n;
  const double mean_gy = sum(n, [&](int64_t i) { return g(i) * y(i); }) / n;
  const Numbers dz = each(n, [&](int64_t i) { return (g(i) - mean_g - y(i) * mean_gy) / r; });
  d.step("2", "dL/dz", dz);
  d.step("3", "dL/df", each(n, [&](int64_t i) { return dz(i); }));
  const auto df = [&](int64_t i, int64_t j) { return delta((i + 1) % n, j); };  // of this f
  d.step("4", "∂z_1/∂x", each(n, [&](int64_t j) { return alpha * delta(0, j) + df(0, j); }));
  d.step("5", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return dz(i) * (alpha * delta(i, j) + df(i, j)); }); }));
  d.step("6", "along the stream", each(n, [&](int64_t j) { return alpha * dz(j); }));
  d.step("7", "through f", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return dz(i) * df(i, j); }); }));
  d.step("8", "dL/dx", each(n, [&](int64_t j) { return alpha * dz(j) + sum(n, [&](int64_t i) { return dz(i) * df(i, j); }); }));
  d.law("9", "Σ dL/dz", sum(n, [&](int64_t i) { return dz(i); }), 0);
  d.law("10", "Σ z ⊙ dL/dz", sum(n, [&](int64_t i) { return z(i) * dz(i); }), 0);

  const auto shifted = [](const Tensor& t) { return cat({slice(t, -1, 1), slice(t, -1, 0, 1)}, -1); };
  d.gradient("dL/dx", [&](const Tensor& t) { return step(t, shifted, 8); }, x, g);
  d.gradient("dL/df", [&](const Tensor& t) { return step(x, [&](const Tensor&) { return t; }, 8); }, f, g);
}

// For 6, 12 and 100 layers; where there are an encoder and a decoder, each has this many.
void constants(Derivation& d) {
  const Numbers depth = d.given("N", {6, 12, 100});
  const auto of_depth = [&](const std::function<double(double)>& f) { return each(3, [&](int64_t i) { return f(depth(i)); }); };
  const auto library = [&](const nn::StackShape& stack, double nn::DeepNormScale::* which, bool paired) {
    return of_depth([&](double layers) {
      const auto count = static_cast<int64_t>(layers);
      return nn::deep_norm_scale({.layers = count, .kind = stack.kind, .paired_layers = paired ? count : 0}).*which;
    });
  };
  constexpr auto encoder = nn::StackKind::encoder, decoder = nn::StackKind::decoder;
  const auto by_alpha = &nn::DeepNormScale::alpha, by_beta = &nn::DeepNormScale::beta;
  const Numbers a = of_depth([](double N) { return std::pow(2 * N, 0.25); });
  d.law("c1", "α, one stack", a, library({.kind = encoder}, by_alpha, false));
  const Numbers b = of_depth([](double N) { return std::pow(8 * N, -0.25); });
  d.law("c2", "β, one stack", b, library({.kind = decoder}, by_beta, false));
  d.law("c3", "α, encoder of both", of_depth([](double N) { return 0.81 * std::pow(std::pow(N, 4) * N, 1.0 / 16); }),
        library({.kind = encoder}, by_alpha, true));
  d.law("c4", "β, encoder of both", of_depth([](double N) { return 0.87 * std::pow(std::pow(N, 4) * N, -1.0 / 16); }),
        library({.kind = encoder}, by_beta, true));
  const Numbers a_decoder = of_depth([](double M) { return std::pow(3 * M, 0.25); });
  d.law("c5", "α, decoder of both", a_decoder, library({.kind = decoder}, by_alpha, true));
  const Numbers b_decoder = of_depth([](double M) { return std::pow(12 * M, -0.25); });
  d.law("c6", "β, decoder of both", b_decoder, library({.kind = decoder}, by_beta, true));

  // How far one step moves the result, relative to the learning rate: sublayers · (v² + w²) / α².
  d.step("b1", "post-norm", of_depth([](double N) { return 2 * N * (1 + 1) / (1 * 1); }));
  d.law("b2", "one stack", each(3, [&](int64_t i) { return 2 * depth(i) * (b(i) * b(i) + b(i) * b(i)) / (a(i) * a(i)); }), {1, 1, 1});
  d.law("b3", "decoder of both",
        each(3, [&](int64_t i) { return 3 * depth(i) * 2 * b_decoder(i) * b_decoder(i) / (a_decoder(i) * a_decoder(i)); }), {1, 1, 1});
  const Numbers a_glm = of_depth([](double N) { return std::sqrt(2 * N); });
  d.law("b4", "α, GLM", a_glm, of_depth([](double N) { return nn::glm_deep_norm_scale({static_cast<int64_t>(N)}).alpha; }));
  d.step("b5", "GLM", each(3, [&](int64_t i) { return 2 * depth(i) * 2 / (a_glm(i) * a_glm(i)) / (a_glm(i) * a_glm(i)); }));
}

}  // namespace

int main() {
  Derivation d("norm-deep");
  deep_norm(d);
  constants(d);
  return verdict();
}
