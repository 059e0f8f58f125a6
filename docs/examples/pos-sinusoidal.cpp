// pos-sinusoidal, the rotation that is a shift, and the table as a picture: line by line, on four numbers.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// ω_i = base^(-2i / d), and row t of the table: sines at even columns, cosines at odd ones.
double omega(int64_t i, int64_t d, double base = 10000) { return std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d)); }
Numbers row(double t, int64_t d, double base = 10000) {
  return each(d, [=](int64_t j) {
    const double angle = omega(j / 2, d, base) * t;
    return j % 2 == 0 ? std::sin(angle) : std::cos(angle);
  });
}

void sinusoidal() {
  Derivation d("pos-sinusoidal");
  constexpr int64_t n = 4;
  const Numbers w = each(2, [](int64_t i) { return omega(i, n); });
  d.law("h1", "ω", w, nn::formula::sine_frequencies(n));
  d.step("h2", "2π / ω", each(2, [&](int64_t i) { return 2 * M_PI / w(i); }));
  d.step("h3", "P_0", row(0, n));
  d.law("h4", "P_1", row(1, n), nn::formula::sinusoidal(tensor(1.0, DType::f64), n));
  d.law("h5", "P_100", row(100, n), nn::formula::sinusoidal(tensor(100.0, DType::f64), n));
  d.law("h6", "‖P_100‖²", sum(n, [](int64_t j) { return row(100, n)(j) * row(100, n)(j); }), n / 2.0);
  const Numbers one = row(1, n);
  d.law("h7", "P_1, sines first", {one(0), one(2), one(1), one(3)},
        nn::formula::sinusoidal(tensor(1.0, DType::f64), n, nn::SineLayout::concatenated));

  const Numbers x = d.given("x", {0.5, -0.5, 0.5, 0});
  const Numbers g = d.given("g", {1, 1, 100, 0});
  const Numbers t = d.given("t", 1);
  const Numbers p = row(t(0), n);
  d.step("1", "y", each(n, [&](int64_t j) { return std::sqrt(n) * x(j) + p(j); }));
  d.step("2", "dL/dx", each(n, [&](int64_t j) { return std::sqrt(n) * g(j); }));
  d.step("3", "∂P/∂t", each(n, [&](int64_t j) {
    const double angle = w(j / 2) * t(0);
    return j % 2 == 0 ? w(j / 2) * std::cos(angle) : -w(j / 2) * std::sin(angle);
  }));
  const Numbers velocity = each(n, [&](int64_t j) { return j % 2 == 0 ? w(j / 2) * p(j + 1) : -w(j / 2) * p(j - 1); });
  d.step("4", "∂P/∂t", velocity);
  d.step("5", "dL/dt", sum(n, [&](int64_t j) { return g(j) * velocity(j); }));
  d.step("6", "dL/dt", sum(2, [&](int64_t i) { return w(i) * (g(2 * i) * p(2 * i + 1) - g(2 * i + 1) * p(2 * i)); }));
  d.step("7", "dL/dω", each(2, [&](int64_t i) { return t(0) * (g(2 * i) * p(2 * i + 1) - g(2 * i + 1) * p(2 * i)); }));
  d.law("8", "Σ P ⊙ ∂P/∂t", sum(n, [&](int64_t j) { return p(j) * velocity(j); }), 0);
  d.law("9", "‖∂P/∂t‖²", sum(n, [&](int64_t j) { return velocity(j) * velocity(j); }), w(0) * w(0) + w(1) * w(1));

  nn::SinusoidalPosition layer({.d_model = n, .heads = 1, .head_dim = n, .max_length = 8});
  d.gradient("dL/dx", [&](const Tensor& leaf) {
    const Tensor scaled = reshape(leaf * layer.embedding_scale(n), {1, 1, n});
    return reshape(layer.on_embedding(scaled, tensor({1}, DType::i64)), {n});
  }, x, g);
  d.gradient("dL/dt", [](const Tensor& leaf) { return nn::formula::sinusoidal(leaf, n); }, t, g);
  d.gradient("dL/dω", [&](const Tensor& leaf) { return reshape(stack({sin(leaf * t(0)), cos(leaf * t(0))}, -1), {n}); }, w, g);

  // What is not quite the formula.
  d.step("10", "ω of i·2, doubled once more", each(2, [](int64_t i) { return omega(2 * i, n); }));
  d.step("11", "ω of −ln(10000) / d // 2 for d of 256",
         each(3, [](int64_t i) { return std::exp(2 * static_cast<double>(i) * std::floor(-std::log(10000) / 256 / 2)); }));
}

void shift() {
  Derivation d("pos-sinusoidal-shift");
  const Numbers t = d.given("t", 1);
  const Numbers delta_t = d.given("Δ", 2);
  const Numbers g = d.given("g", {1, 1, 0, 100});
  constexpr int64_t n = 4;
  const Numbers p = row(t(0), n);
  d.step("1", "P_3", each(n, [&](int64_t j) {
    const double a = omega(j / 2, n) * (t(0) + delta_t(0));
    return j % 2 == 0 ? std::sin(a) : std::cos(a);
  }));
  const auto c = [&](int64_t i) { return std::cos(omega(i, n) * delta_t(0)); };
  const auto s = [&](int64_t i) { return std::sin(omega(i, n) * delta_t(0)); };
  d.step("2", "P_3", each(n, [&](int64_t j) {
    const int64_t i = j / 2;
    return j % 2 == 0 ? c(i) * p(j) + s(i) * p(j + 1) : -s(i) * p(j - 1) + c(i) * p(j);
  }));
  const auto r = [&](int64_t a, int64_t b) {
    if (a / 2 != b / 2) return 0.0;
    return a == b ? c(a / 2) : (a % 2 == 0 ? s(a / 2) : -s(a / 2));
  };
  d.law("3", "R(2)", each(n, n, r), nn::formula::sinusoidal_shift(n, delta_t(0)));
  d.step("4", "P_3", each(n, [&](int64_t a) { return sum(n, [&](int64_t b) { return r(a, b) * p(b); }); }));
  d.law("5", "R(2)ᵀ R(2)", each(n, n, [&](int64_t a, int64_t b) { return sum(n, [&](int64_t k) { return r(k, a) * r(k, b); }); }),
        each(n, n, [](int64_t a, int64_t b) { return delta(a, b); }));
  d.step("6", "dL/dP_1", each(n, [&](int64_t b) { return sum(n, [&](int64_t a) { return g(a) * r(a, b); }); }));
  d.step("7", "dL/dP_1", each(n, [&](int64_t j) {
    const int64_t i = j / 2;
    return j % 2 == 0 ? c(i) * g(j) - s(i) * g(j + 1) : s(i) * g(j - 1) + c(i) * g(j);
  }));
  d.law("8", "‖dL/dP_1‖²",
        sum(n,
            [&](int64_t b) {
    const double v = sum(n, [&](int64_t a) { return g(a) * r(a, b); });
    return v * v;
  }),
        sum(n, [&](int64_t j) { return g(j) * g(j); }));
  d.gradient("dL/dP_1", [&](const Tensor& leaf) { return matmul(nn::formula::sinusoidal_shift(n, delta_t(0)), leaf); }, p, g);
}

// The picture's table: 100 positions, 512 columns.
void heatmap() {
  Derivation d("pos-heatmap");
  constexpr int64_t n = 512, rows = 100;
  const std::vector<int64_t> waves{0, 64, 128, 192, 255};
  const auto of_wave = [&](const std::function<double(double)>& f) {
    return each(5, [&](int64_t k) { return f(omega(waves[static_cast<std::size_t>(k)], n)); });
  };
  d.step("1", "ω of waves 0, 64, 128, 192, 255", of_wave([](double w) { return w; }));
  d.step("2", "turns in 100 positions", of_wave([](double w) { return 100 * w / (2 * M_PI); }));
  const auto change = [](double w) {
    return sum(rows - 1, [&](int64_t t) {
      return std::abs(std::sin(w * static_cast<double>(t + 1)) - std::sin(w * static_cast<double>(t)));
    }) / (rows - 1);
  };
  d.step("3", "mean change of the sine from one position to the next", of_wave(change));
  const Tensor turns = nn::formula::sinusoidal(arange(rows), n),
               halves = nn::formula::sinusoidal(arange(rows), n, nn::SineLayout::concatenated);
  const Numbers last = row(rows - 1, n);
  const Numbers in_turn{last(254), last(255), last(256), last(257)};
  d.law("4", "row 99 in turn, columns 254 to 257", in_turn, slice(turns[rows - 1], 0, 254, 258));
  const Numbers in_halves{last(508), last(510), last(1), last(3)};
  d.law("5", "row 99 in halves, columns 254 to 257", in_halves, slice(halves[rows - 1], 0, 254, 258));
  double least = 1;
  for (int64_t t = 0; t < rows; ++t) {
    for (int64_t i = 128; i < 256; ++i) least = std::min(least, std::cos(omega(i, n) * static_cast<double>(t)));
  }
  d.law("6", "least entry of the last quarter, in halves", least, min(slice(halves, 1, 384)));
  const auto mean_of = [&](bool sines) {
    return sum(rows, [&](int64_t t) {
      return sum(128, [&](int64_t i) {
        const double a = omega(i + 128, n) * static_cast<double>(t);
        return sines ? std::sin(a) : std::cos(a);
      });
    }) / (rows * 128);
  };
  d.law("7", "mean of the last quarter, in halves", mean_of(false), mean(slice(halves, 1, 384)));
  d.step("8", "mean of the sines of the last quarter, in turn", sum(rows, [&](int64_t t) {
    return sum(64, [&](int64_t i) { return std::sin(omega(i + 192, n) * static_cast<double>(t)); });
  }) / (rows * 64));
}

}  // namespace

int main() {
  sinusoidal();
  shift();
  heatmap();
  return verdict();
}
