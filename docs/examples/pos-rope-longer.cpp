// RoPE on longer texts: the frequencies of interpolation, NTK, bands and YaRN, line by line, each held to the library's.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr double kPi = 3.14159265358979323846;

// θ^(-2k/w) for k = 0 … w/2 - 1
Numbers frequencies(int64_t w, double theta) {
  return each(w / 2, [=](int64_t k) { return std::pow(theta, -2 * static_cast<double>(k) / static_cast<double>(w)); });
}

Numbers times(const Numbers& a, double factor) {
  return each(a.shape()[0], [&](int64_t k) { return a(k) * factor; });
}

void interpolation() {
  Derivation d("pos-rope-interpolation");
  const double s = d.given("s", 4)(0);
  const Numbers omega = frequencies(4, 100);
  d.step("1", "ω of a head of 4", omega);
  d.step("2", "angles at 31", times(omega, 31));
  d.step("3", "angles at 31 parted by s", times(omega, 31 / s));
  const Numbers slower = times(omega, 1 / s);
  d.law("4", "ω / s", slower, nn::rope_frequencies(4, {.theta = 100, .scaling = nn::RopeScaling::interpolation, .factor = s}, 0));
  d.step("5", "angles at 31 parted by s", times(slower, 31));
}

void ntk() {
  Derivation d("pos-rope-ntk");
  const double s = d.given("s", 4)(0), w = d.given("w", 6)(0), theta = d.given("θ", 1000)(0);
  const Numbers omega = frequencies(6, theta);
  d.step("1", "ω", omega);
  d.step("2", "slowest, divided by s", omega(2) / s);
  const double larger = theta * std::pow(s, w / (w - 2));
  d.step("3", "θ'", larger);
  d.step("4", "slowest, divided by s", std::pow(larger, -(w - 2) / w));
  const Numbers slower = frequencies(6, larger);
  d.law("5", "ω'", slower, nn::rope_frequencies(6, {.theta = theta, .scaling = nn::RopeScaling::ntk, .factor = s}, 0));
  d.step("6", "ω / ω'", each(3, [&](int64_t k) { return omega(k) / slower(k); }));
  d.step("7", "ω / ω'", each(3, [&](int64_t k) { return std::pow(s, 2 * static_cast<double>(k) / (w - 2)); }));
}

Numbers ramp(const Numbers& turns, double low, double high) {
  return each(turns.shape()[0], [&](int64_t k) { return std::clamp((turns(k) - low) / (high - low), 0.0, 1.0); });
}

Numbers mixed(const Numbers& omega, const Numbers& smooth, double s) {
  return each(omega.shape()[0], [&](int64_t k) { return smooth(k) * omega(k) + (1 - smooth(k)) * omega(k) / s; });
}

void bands() {
  Derivation d("pos-rope-bands");
  const double s = d.given("s", 4)(0), length = d.given("L", 50 * kPi)(0), low = 1, high = 4;
  const Numbers omega = frequencies(8, 10000);
  d.step("1", "ω of a head of 8", omega);
  const Numbers wavelength = each(4, [&](int64_t k) { return 2 * kPi / omega(k); });
  d.step("2", "wavelength", wavelength);
  const Numbers turns = times(omega, length / (2 * kPi));
  d.step("3", "r", turns);
  const Numbers smooth = ramp(turns, low, high);
  d.step("4", "smooth", smooth);
  d.step("5", "smooth", each(4, [&](int64_t k) { return std::clamp((length / wavelength(k) - low) / (high - low), 0.0, 1.0); }));
  const Numbers slower = mixed(omega, smooth, s);
  d.law("6", "ω'", slower, nn::rope_frequencies(8, {.scaling = nn::RopeScaling::bands, .factor = s}, length));
  d.step("7", "ω' / ω", each(4, [&](int64_t k) { return slower(k) / omega(k); }));
  // The 2024 checkpoints: 64 pairs, θ = 500,000, trained on 8,192 tokens.
  const auto pair_of = [](double turns_of) { return 64 * std::log(8192 / (2 * kPi * turns_of)) / std::log(500000); };
  d.step("8", "k of four turns", pair_of(4));
  d.step("9", "k of one turn", pair_of(1));
  const Tensor ratio = nn::rope_frequencies(128, {.theta = 500000}, 0) /
                       nn::rope_frequencies(128, {.theta = 500000, .scaling = nn::RopeScaling::bands, .factor = 8}, 8192);
  const double kept = std::floor(pair_of(4)) + 1, interpolated = 64 - std::ceil(pair_of(1));
  d.law("10", "pairs kept, on the ramp, interpolated", {kept, 64 - kept - interpolated, interpolated},
        {sum(eq(ratio, 1)).item(), 64 - sum(eq(ratio, 1)).item() - sum(abs(ratio - 8) < 1e-12).item(), sum(abs(ratio - 8) < 1e-12).item()});
}

void yarn() {
  Derivation d("pos-yarn");
  const double s = d.given("s", 4)(0), length = d.given("L", 33 * kPi)(0);
  const Numbers omega = frequencies(8, 10000), turns = times(omega, length / (2 * kPi));
  d.step("1", "r", turns);
  const Numbers smooth = ramp(turns, 1, 32);
  d.step("2", "smooth", smooth);
  d.law("3", "ω'", mixed(omega, smooth, s), nn::rope_frequencies(8, {.scaling = nn::RopeScaling::yarn, .factor = s}, length));
  const double stretch = 0.1 * std::log(s) + 1;
  d.step("4", "c", stretch);
  d.step("5", "1 / t", stretch * stretch);
  const Numbers c = d.given("cos φ", {0.6}), sine = d.given("sin φ", {0.8}), x = d.given("x", {5, 10}), g = d.given("g", {5, 0});
  d.step("6", "y", {stretch * (x(0) * c(0) - x(1) * sine(0)), stretch * (x(0) * sine(0) + x(1) * c(0))});
  d.step("7", "dL/dx", {stretch * (g(0) * c(0) + g(1) * sine(0)), stretch * (-g(0) * sine(0) + g(1) * c(0))});
  d.gradient("dL/dx", [&](const Tensor& t) {
    const Tensor cosines = reshape(c.tensor(), {1, 1}) * stretch, sines = reshape(sine.tensor(), {1, 1}) * stretch;
    return flatten(nn::rope(reshape(t, {1, 1, 1, 2}), cosines, sines));
  }, x, g);
  // One pair at position 0: a score of the layer against the plain one.
  nn::RoPE layer({.d_model = 2, .heads = 1, .head_dim = 2, .max_length = 8}, {.scaling = nn::RopeScaling::yarn, .factor = s});
  const Tensor at_zero = layer.on_queries(reshape(x.tensor(), {1, 1, 1, 2}), arange(1));
  d.law("8", "score of x with x", stretch * stretch * 125, sum(square(at_zero)));
}

void xpos() {
  Derivation d("pos-xpos");
  const double gamma = d.given("γ", 0.5)(0), base = d.given("base", 1)(0), centre = d.given("c", 2)(0);
  const Numbers q = d.given("q", {1, 0, 1, 0}), key = d.given("k", {1, 0, 1, 0}), g = d.given("g", {1, 0, 0, 1});
  constexpr double n = 3, m = 1;
  const Numbers omega = frequencies(4, 10000);
  const Numbers zeta = each(2, [&](int64_t k) { return (static_cast<double>(k) / 2 + gamma) / (1 + gamma); });
  d.step("1", "ζ", zeta);
  const auto power = [&](double exponent) { return each(2, [&](int64_t k) { return std::pow(zeta(k), exponent); }); };
  const Numbers of_q = power((n - centre) / base), of_k = power((centre - m) / base);
  d.step("2", "factor of q", of_q);
  d.step("3", "factor of k", of_k);
  const Numbers fade = each(2, [&](int64_t k) { return of_q(k) * of_k(k); });
  d.step("4", "product", fade);
  d.step("5", "product", power((n - m) / base));
  nn::XPos layer({.d_model = 4, .heads = 1, .head_dim = 4, .max_length = 4}, {.gamma = gamma, .base = base});
  const auto query = [&](const Tensor& t) { return flatten(layer.on_queries(reshape(t, {1, 1, 1, 4}), arange(3, 4))); };
  const Tensor turned_key = flatten(layer.on_keys(reshape(key.tensor(), {1, 1, 1, 4}), arange(1, 2)));
  d.law("6", "score", sum(2, [&](int64_t k) { return fade(k) * std::cos((n - m) * omega(k)); }), dot(query(q), turned_key));
  d.step("7", "dL/dq", each(4, [&](int64_t i) {
    const int64_t k = i / 2;
    const double c = std::cos(n * omega(k)), s = std::sin(n * omega(k));
    return of_q(k) * (i % 2 == 0 ? g(i) * c + g(i + 1) * s : -g(i - 1) * s + g(i) * c);
  }));
  d.gradient("dL/dq", query, q, g);
  // How long a text may be: of the published numbers, γ = 0.4 and 512.
  const double smallest = 0.4 / 1.4;
  d.step("8", "ζ_0 as published", smallest);
  d.step("9", "largest c in f16", std::floor(512 * std::log(65504) / -std::log(smallest)));
  d.step("10", "largest max_length in f16", 2 * std::floor(512 * std::log(65504) / -std::log(smallest)) + 1);
  d.step("11", "fade over 512 tokens, of the fastest and the slowest of 32 pairs", {smallest, (31.0 / 32 + 0.4) / 1.4});
}

}  // namespace

int main() {
  interpolation();
  ntk();
  bands();
  yarn();
  xpos();
  return verdict();
}
