// pos-sinusoidal-dot: what the scores of two rows of the table know of their distance, and what projections leave of it.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

Numbers row(double t, const std::vector<double>& w) {  // sin ω_0 t, cos ω_0 t, sin ω_1 t, …
  return each(2 * static_cast<int64_t>(w.size()), [&](int64_t j) {
    const double angle = w[static_cast<std::size_t>(j / 2)] * t;
    return j % 2 == 0 ? std::sin(angle) : std::cos(angle);
  });
}

double dot(const Numbers& a, const Numbers& b) {
  return sum(a.shape()[0], [&](int64_t j) { return a(j) * b(j); });
}

Numbers times(const Numbers& m, const Numbers& v) {  // M v
  return each(m.shape()[0], [&](int64_t a) { return sum(m.shape()[1], [&](int64_t b) { return m(a, b) * v(b); }); });
}

Numbers turned(const Numbers& m) {
  return each(m.shape()[1], m.shape()[0], [&](int64_t a, int64_t b) { return m(b, a); });
}

Numbers product(const Numbers& a, const Numbers& b) {
  return each(a.shape()[0], b.shape()[1],
              [&](int64_t i, int64_t j) { return sum(a.shape()[1], [&](int64_t k) { return a(i, k) * b(k, j); }); });
}

}  // namespace

int main() {
  Derivation d("pos-sinusoidal-dot");
  constexpr double pi = M_PI;
  const std::vector<double> w{1, 0.5};
  const Numbers p0 = row(0, w), p1 = row(pi, w), p2 = row(2 * pi, w), p3 = row(3 * pi, w);
  d.law("h1", "ω", {w[0], w[1]}, nn::formula::sine_frequencies(4, 4));
  d.step("h2", "P_0", p0);
  d.step("h3", "P_π", p1);
  d.step("h4", "P_2π", p2);
  d.step("h5", "P_3π", p3);
  d.step("h6", "P_π · P_2π, P_π · P_0", {dot(p1, p2), dot(p1, p0)});
  d.step("h7", "P_π · P_3π, P_2π · P_0", {dot(p1, p3), dot(p2, p0)});
  d.law("h8", "cos Δ + cos Δ/2 at π, 2π",
        each(2,
             [](int64_t k) {
    const double a = (static_cast<double>(k) + 1) * pi;
    return std::cos(a) + std::cos(a / 2);
  }),
        {nn::formula::sinusoidal_dot(4, pi, 4), nn::formula::sinusoidal_dot(4, 2 * pi, 4)});

  // The rows as they are.
  const double t = d.given("t", pi)(0), delta_t = d.given("Δ", pi)(0), s = t + delta_t;
  d.step("1", "P_t · P_{t+Δ}", sum(2, [&](int64_t i) {
    const double o = w[static_cast<std::size_t>(i)];
    return std::sin(o * t) * std::sin(o * s) + std::cos(o * t) * std::cos(o * s);
  }));
  const auto cosines = [&](double distance) {
    return sum(2, [&](int64_t i) { return std::cos(w[static_cast<std::size_t>(i)] * distance); });
  };
  d.step("2", "P_t · P_{t+Δ}", cosines(t - s));
  d.step("3", "P_t · P_{t−Δ}", cosines(-delta_t));
  d.law("4", "their difference", cosines(delta_t) - cosines(-delta_t), 0);
  const auto slope = [&](double distance) {
    return -sum(2, [&](int64_t i) { return w[static_cast<std::size_t>(i)] * std::sin(w[static_cast<std::size_t>(i)] * distance); });
  };
  d.step("5", "d(P_t · P_{t+Δ})/dΔ", slope(delta_t));
  d.gradient("d(P_t · P_{t+Δ})/dΔ", [&](const Tensor& leaf) { return sum(nn::formula::sinusoidal(leaf + t, 4, {}, 4) * p1.tensor()); },
             delta_t, 1);
  d.law("6", "the slope at −π, 0, π", {slope(-pi), slope(0), slope(pi)}, {-slope(pi), 0, slope(pi)});

  // With projections: one wave, ω = 1, so that rows have two numbers and quarter turns are whole numbers.
  const std::vector<double> one{1};
  const Numbers wq = d.given("W_q", {{1, 0}, {1, 1}}), wk = d.given("W_k", {{-2, -2}, {3, 4}});
  const Numbers m{{1, 2}, {3, 4}};
  const auto score = [&](const Numbers& by, double a, double b) { return dot(row(a, one), times(by, row(b, one))); };
  d.step("7", "score of (0, π/2)", dot(times(wq, row(0, one)), times(wk, row(pi / 2, one))));
  d.law("8", "M", product(turned(wq), wk), m);
  d.step("9", "score of (0, π/2)", score(m, 0, pi / 2));
  d.step("10", "scores of (0, π/2), (π/2, π), (0, 0), (π/2, π/2)",
         {score(m, 0, pi / 2), score(m, pi / 2, pi), score(m, 0, 0), score(m, pi / 2, pi / 2)});
  const Numbers k{{0, 1}, {-1, 0}};
  const Numbers pa = row(0, one), pb = row(pi / 2, one);
  d.step("11", "dP/dt at 0", {std::cos(0.0), -std::sin(0.0)});
  d.step("12", "dP/dt at 0", times(k, pa));
  d.step("13", "dS/dt + dS/ds at (0, π/2)", dot(times(k, pa), times(m, pb)) + dot(pa, times(m, times(k, pb))));
  const Numbers mk = product(m, k), km = product(k, m);
  const Numbers commutator = each(2, 2, [&](int64_t a, int64_t b) { return mk(a, b) - km(a, b); });
  d.step("14", "M K − K M", commutator);
  d.step("15", "dS/dt + dS/ds at (0, π/2)", dot(pa, times(commutator, pb)));
  d.gradient("dS/dt + dS/ds at (0, π/2)", [&](const Tensor& both) {
    const auto at = [&](double place) { return nn::formula::sinusoidal(both + place, 2); };
    return sum(at(0) * matmul(m.tensor(), at(pi / 2)));
  }, 0.0, 1);
  const Numbers r{{3, 2}, {-2, 3}};
  const Numbers rk = product(r, k), kr = product(k, r);
  d.law("16", "M K − K M of [[3, 2], [−2, 3]]", each(2, 2, [&](int64_t a, int64_t b) { return rk(a, b) - kr(a, b); }), {{0, 0}, {0, 0}});
  d.law("17", "its scores of (0, π/2), (π/2, π), (π/2, 0), (0, 0)",
        {score(r, 0, pi / 2), score(r, pi / 2, pi), score(r, pi / 2, 0), score(r, 0, 0)},
        {-2 * std::sin(pi / 2), -2 * std::sin(pi / 2), 2 * std::sin(pi / 2), 3});

  // What training does to M, and to the two matrices.
  const double a = 0, b = pi / 2;
  const Numbers pt = row(a, one), ps = row(b, one);
  d.step("18", "dS/dM", each(2, 2, [&](int64_t i, int64_t j) { return pt(i) * ps(j); }));
  d.gradient("dS/dM", [&](const Tensor& leaf) { return sum(pt.tensor() * matmul(leaf, ps.tensor())); }, m, 1);
  d.step("19", "dS/dW_q", each(2, 2, [&](int64_t i, int64_t j) { return times(wk, ps)(i) * pt(j); }));
  d.gradient("dS/dW_q", [&](const Tensor& leaf) { return sum(matmul(leaf, pt.tensor()) * matmul(wk.tensor(), ps.tensor())); }, wq, 1);
  d.step("20", "dS/dW_k", each(2, 2, [&](int64_t i, int64_t j) { return times(wq, pt)(i) * ps(j); }));
  d.gradient("dS/dW_k", [&](const Tensor& leaf) { return sum(matmul(wq.tensor(), pt.tensor()) * matmul(leaf, ps.tensor())); }, wk, 1);
  const auto over_a_turn = [&](double back) {  // the mean of dS/dM over four queries, a quarter turn apart, that look `back`
    return each(2, 2, [&](int64_t i, int64_t j) {
      return sum(4, [&](int64_t q) {
        const double place = static_cast<double>(q) * pi / 2;
        return row(place, one)(i) * row(place - back, one)(j);
      }) / 4;
    });
  };
  d.law("21", "mean of dS/dM over a turn, looking back by π/2", over_a_turn(pi / 2), {{0, 0.5}, {-0.5, 0}});
  return verdict();
}
