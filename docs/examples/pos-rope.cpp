// pos-rope and its relatives: a pair turned, and its gradient turned back, line by line; then which pairs there are.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// x at one position of one head, turned by tables [1, pairs].
Tensor turned(const Tensor& x, const Tensor& cosines, const Tensor& sines, nn::RopeLayout layout = nn::RopeLayout::pairs) {
  const int64_t pairs = cosines.numel();
  return flatten(nn::rope(reshape(x, {1, 1, 1, x.numel()}), reshape(cosines, {1, pairs}), reshape(sines, {1, pairs}), layout));
}

// Four numbers, two pairs.
void rope() {
  Derivation d("pos-rope");
  constexpr double theta = 10000;
  const Numbers omega = each(2, [](int64_t k) { return std::pow(theta, -2 * static_cast<double>(k) / 4); });
  d.law("h1", "ω of a head of 4", omega, nn::rope_frequencies(4, {}, 0));
  d.step("h2", "φ at position 3", each(2, [&](int64_t k) { return 3 * omega(k); }));
  const Numbers c = d.given("cos φ", {0.6, 0.8}), s = d.given("sin φ", {0.8, 0.6});
  const Numbers x = d.given("x", {5, 10, 0, 5}), g = d.given("g", {5, 0, 0, 5});
  // Number i of a row: pair i / 2, its first or second.
  const auto forward = [&](const Numbers& v) {
    return each(4, [&](int64_t i) {
      const int64_t k = i / 2;
      return i % 2 == 0 ? v(i) * c(k) - v(i + 1) * s(k) : v(i - 1) * s(k) + v(i) * c(k);
    });
  };
  const Numbers y = forward(x);
  d.step("h3", "y_0, y_1", {x(0) * c(0) - x(1) * s(0), x(0) * s(0) + x(1) * c(0)});
  d.step("h4", "y_2, y_3", {x(2) * c(1) - x(3) * s(1), x(2) * s(1) + x(3) * c(1)});
  d.step("h5", "y", y);
  const auto lengths = [](const Numbers& v) {
    return each(2, [&](int64_t k) { return v(2 * k) * v(2 * k) + v(2 * k + 1) * v(2 * k + 1); });
  };
  d.law("h6", "squared length of each pair of y", lengths(y), lengths(x));

  const auto R = [&](int64_t i, int64_t j) { return i == j ? c(0) : i < j ? -s(0) : s(0); };  // of pair 0
  d.step("1", "R of pair 0", each(2, 2, R));
  d.step("2", "y of pair 0", each(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return R(i, j) * x(j); }); }));
  d.step("3", "∂y_0/∂x_j", each(2, [&](int64_t j) { return R(0, j); }));
  d.step("4", "dL/dx of pair 0", each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return g(i) * R(i, j); }); }));
  const auto R_transposed = [&](int64_t j, int64_t i) { return R(i, j); };
  d.step("5", "dL/dx of pair 0", each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return R_transposed(j, i) * g(i); }); }));
  d.step("6", "dL/dx of pair 0", {g(0) * c(0) + g(1) * s(0), -g(0) * s(0) + g(1) * c(0)});
  const double phi = std::atan2(s(0), c(0));
  d.law("7", "Rᵀ of pair 0", each(2, 2, R_transposed), {{std::cos(-phi), -std::sin(-phi)}, {std::sin(-phi), std::cos(-phi)}});
  d.law("8", "Rᵀ R of pair 0", each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t m) { return R(m, i) * R(m, j); }); }),
        each(2, 2, [](int64_t i, int64_t j) { return delta(i, j); }));
  const auto back = [&](const Numbers& v) {
    return each(4, [&](int64_t i) {
      const int64_t k = i / 2;
      return i % 2 == 0 ? v(i) * c(k) + v(i + 1) * s(k) : -v(i - 1) * s(k) + v(i) * c(k);
    });
  };
  d.law("9", "y turned back", back(y), x);
  const Numbers dx = back(g);
  d.step("10", "dL/dx", dx);
  d.law("11", "squared length of each pair of dL/dx", lengths(dx), lengths(g));
  d.gradient("dL/dx", [&](const Tensor& t) { return turned(t, c, s); }, x, g);

  // The angle: how the tables learn, where they do.
  const auto dy_dphi = [&](int64_t i) { return i % 2 == 0 ? -y(i + 1) : y(i - 1); };
  d.step("12", "∂y_i/∂φ", each(4, dy_dphi));
  d.step("13", "dL/dφ", each(2, [&](int64_t k) { return g(2 * k) * dy_dphi(2 * k) + g(2 * k + 1) * dy_dphi(2 * k + 1); }));
  d.step("14", "dL/dφ", each(2, [&](int64_t k) { return g(2 * k + 1) * y(2 * k) - g(2 * k) * y(2 * k + 1); }));
  d.gradient("dL/dφ", [&](const Tensor& t) { return turned(x, cos(t), sin(t)); },
             each(2, [&](int64_t k) { return std::atan2(s(k), c(k)); }), g);
}

// The same numbers in the other order.
void half() {
  Derivation d("pos-rope-half");
  const Numbers c = d.given("cos φ", {0.6, 0.8}), s = d.given("sin φ", {0.8, 0.6});
  const Numbers x = d.given("x", {5, 0, 10, 5}), g = d.given("g", {5, 0, 0, 5});
  const auto partner = [](int64_t i) { return i < 2 ? i + 2 : i - 2; };
  d.step("1", "the other number of the pair", each(4, [&](int64_t i) { return static_cast<double>(partner(i)); }));
  d.step("2", "y of the first half", each(2, [&](int64_t k) { return x(k) * c(k) - x(k + 2) * s(k); }));
  d.step("3", "y of the second half", each(2, [&](int64_t k) { return x(k) * s(k) + x(k + 2) * c(k); }));
  const Numbers y = each(4, [&](int64_t i) {
    const int64_t k = i % 2;
    return x(i) * c(k) + (i < 2 ? -1 : 1) * x(partner(i)) * s(k);
  });
  d.law("4", "y", y, turned(x, c, s, nn::RopeLayout::halves));
  d.step("5", "dL/dx", each(4, [&](int64_t i) {
    const int64_t k = i % 2;
    return g(i) * c(k) - (i < 2 ? -1 : 1) * g(partner(i)) * s(k);
  }));
  d.gradient("dL/dx", [&](const Tensor& t) { return turned(t, c, s, nn::RopeLayout::halves); }, x, g);
}

void permutation() {
  Derivation d("pos-rope-half-permutation");
  constexpr int64_t n = 6;
  const auto from = [](int64_t i) { return i < 3 ? 2 * i : 2 * (i - 3) + 1; };  // π(i)
  const Numbers pi = each(n, [&](int64_t i) { return static_cast<double>(from(i)); });
  d.law("1", "π", pi, cast(nn::halves_from_pairs(n), DType::f64));
  const auto to = [](int64_t j) { return j % 2 == 0 ? j / 2 : (j - 1) / 2 + 3; };  // where j goes
  const Numbers back = each(n, [&](int64_t j) { return static_cast<double>(to(j)); });
  d.law("2", "π⁻¹", back, cast(nn::pairs_from_halves(n), DType::f64));
  const Numbers x = d.given("x", {1, 2, 3, 4, 5, 6}), g = d.given("g", {6, 5, 4, 3, 2, 1});
  const Numbers y = each(n, [&](int64_t i) { return x(from(i)); });
  d.step("3", "y", y);
  d.step("4", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * delta(from(i), j); }); }));
  d.step("5", "dL/dx", each(n, [&](int64_t j) { return g(to(j)); }));
  d.gradient("dL/dx", [](const Tensor& t) { return index_select(t, -1, nn::halves_from_pairs(n)); }, x, g);
  d.law("6", "Pᵀ y", each(n, [&](int64_t j) { return y(to(j)); }), x);
  const Numbers k = d.given("k", {1, 0, 2, 0, 1, 1});
  d.law("7", "⟨Px, Pk⟩", sum(n, [&](int64_t i) { return x(from(i)) * k(from(i)); }), sum(n, [&](int64_t j) { return x(j) * k(j); }));
  // Permute, turn halves, permute back: pairs turned.
  const Numbers c = d.given("cos φ", {0.6, 0.8, 0}), s = d.given("sin φ", {0.8, 0.6, 1});
  const auto halves = [&](const Numbers& v) {
    return each(n, [&](int64_t i) { return i < 3 ? v(i) * c(i) - v(i + 3) * s(i) : v(i - 3) * s(i - 3) + v(i) * c(i - 3); });
  };
  const Numbers turned_halves = halves(y);
  d.step("8", "halves of Px, turned", turned_halves);
  d.law("9", "Pᵀ of that", each(n, [&](int64_t j) { return turned_halves(to(j)); }), turned(x, c, s));
}

void partial() {
  Derivation d("pos-rope-partial");
  const Numbers c = d.given("cos φ", {0.6}), s = d.given("sin φ", {0.8});
  const Numbers x = d.given("x", {5, 10, 7, 1}), g = d.given("g", {5, 0, 2, 3});
  d.law("1", "y", {x(0) * c(0) - x(1) * s(0), x(0) * s(0) + x(1) * c(0), x(2), x(3)}, turned(x, c, s));
  d.step("2", "dL/dx", {g(0) * c(0) + g(1) * s(0), -g(0) * s(0) + g(1) * c(0), g(2), g(3)});
  d.gradient("dL/dx", [&](const Tensor& t) { return turned(t, c, s); }, x, g);
  const Numbers k = d.given("k", {1, 0, 1, 2});  // not turned: at position 0
  const double distance = (x(0) * c(0) - x(1) * s(0)) * k(0) + (x(0) * s(0) + x(1) * c(0)) * k(1);
  const double content = x(2) * k(2) + x(3) * k(3);
  d.step("3", "what distance changes", distance);
  d.step("4", "what it does not", content);
  d.law("5", "score", distance + content, dot(turned(x, c, s), k.tensor()));
  d.law("6", "ω of four numbers", {1, 0.01}, nn::rope_frequencies(4, {}, 0));
}

}  // namespace

int main() {
  rope();
  half();
  permutation();
  partial();
  return verdict();
}
