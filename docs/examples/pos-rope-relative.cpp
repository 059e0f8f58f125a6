// pos-rope-relative: the score of a turned query and a turned key, line by line, for one pair; both moved on together.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

struct Turn {  // by an angle
  double cosine, sine;
  double operator()(int64_t i, int64_t j) const { return i == j ? cosine : i < j ? -sine : sine; }
  Turn back() const { return {cosine, -sine}; }
};

Numbers turned(const Turn& R, const Numbers& x) {
  return each(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return R(i, j) * x(j); }); });
}

double inner(const Numbers& a, const Numbers& b) {
  return sum(2, [&](int64_t i) { return a(i) * b(i); });
}

// First the angle of b, then that of a.
Turn product(const Turn& a, const Turn& b) {
  return {sum(2, [&](int64_t l) { return a(0, l) * b(l, 0); }), sum(2, [&](int64_t l) { return a(1, l) * b(l, 0); })};
}

}  // namespace

int main() {
  Derivation d("pos-rope-relative");
  const Numbers q = d.given("q", {5, 10}), k = d.given("k", {5, 5});
  const Turn m{0.6, 0.8}, n{1, 0}, shift{0.8, 0.6};
  d.step("h1", "R_m q", turned(m, q));
  d.step("h2", "R_n k", turned(n, k));
  d.step("h3", "score", inner(turned(m, q), turned(n, k)));
  const Turn later_m = product(shift, m), later_n = product(shift, n);
  d.step("h4", "cosine and sine, m moved on", {later_m.cosine, later_m.sine});
  d.step("h5", "R_m q, moved on", turned(later_m, q));
  d.step("h6", "R_n k, moved on", turned(later_n, k));
  d.law("h7", "score, both moved on", inner(turned(later_m, q), turned(later_n, k)), 25);
  d.law("h8", "score, m and n exchanged", inner(turned(n, q), turned(m, k)), 65);

  d.step("1", "score", sum(2, [&](int64_t i) { return turned(m, q)(i) * turned(n, k)(i); }));
  d.step("2", "score", sum(2, [&](int64_t i) {
    return sum(2, [&](int64_t j) { return sum(2, [&](int64_t l) { return m(i, j) * q(j) * n(i, l) * k(l); }); });
  }));
  const auto middle = [&](int64_t j, int64_t l) { return sum(2, [&](int64_t i) { return m(i, j) * n(i, l); }); };
  d.step("3", "score", sum(2, [&](int64_t j) { return sum(2, [&](int64_t l) { return q(j) * middle(j, l) * k(l); }); }));
  const Turn between = product(m.back(), n);  // by n - m
  d.step("4", "R_mᵀ R_n", each(2, 2, middle));
  d.step("5", "R_mᵀ R_n", each(2, 2, [&](int64_t j, int64_t l) { return sum(2, [&](int64_t i) { return m.back()(j, i) * n(i, l); }); }));
  d.step("6", "R_mᵀ R_n", each(2, 2, [&](int64_t j, int64_t l) { return between(j, l); }));
  d.step("7", "score", inner(q, turned(between, k)));
  const double dots = q(0) * k(0) + q(1) * k(1), cross = q(1) * k(0) - q(0) * k(1);
  d.step("8", "score", dots * between.cosine + cross * between.sine);
  const double angle_q = std::atan2(q(1), q(0)), angle_k = std::atan2(k(1), k(0));
  const double distance = std::atan2(between.sine, between.cosine);
  d.step("9", "score", std::sqrt(inner(q, q) * inner(k, k)) * std::cos(distance + angle_k - angle_q));
  d.law("10", "‖R_m q‖²", inner(turned(m, q), turned(m, q)), inner(q, q));

  const double g = d.given("dL/dscore", 2)(0);
  d.step("11", "what arrives at R_m q", each(2, [&](int64_t i) { return g * turned(n, k)(i); }));
  d.step("12", "dL/dq", turned(m.back(), each(2, [&](int64_t i) { return g * turned(n, k)(i); })));
  const Numbers dq = each(2, [&](int64_t j) { return g * turned(between, k)(j); });
  d.step("13", "dL/dq", dq);
  const Numbers dk = each(2, [&](int64_t l) { return g * turned(between.back(), q)(l); });
  d.step("14", "dL/dk", dk);
  const auto along = [](const Numbers& x, const Numbers& dx) { return x(0) * dx(1) - x(1) * dx(0); };
  d.step("15", "dL/d of the angle of q", along(q, dq));
  d.step("16", "dL/d of the angle of k", along(k, dk));
  d.law("17", "both", along(q, dq) + along(k, dk), 0);
  d.gradient("dL/dq", [&](const Tensor& t) { return nn::formula::rope_relative(t, k, distance); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return nn::formula::rope_relative(q, t, distance); }, k, g);
  return verdict();
}
