// optim-muon: what Newton and Schulz's iteration makes of singular values, and a step.
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/muon.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double polynomial(double s) { return 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s; }

double five(double s) {
  for (int i = 0; i < 5; ++i) s = polynomial(s);
  return s;
}

Numbers product(const Numbers& a, const Numbers& b) {
  return each(2, 2, [&](int64_t i, int64_t j) { return sum(2, [&](int64_t k) { return a(i, k) * b(k, j); }); });
}

Numbers transposed(const Numbers& a) {
  return each(2, 2, [&](int64_t i, int64_t j) { return a(j, i); });
}

}  // namespace

int main() {
  Derivation d("optim-muon");
  const Numbers u = d.given("U", {{0.6, -0.8}, {0.8, 0.6}});
  const Numbers singular = d.given("S", {{3, 0}, {0, 4}});
  const Numbers v = d.given("V", {{0, 1}, {1, 0}});
  const Numbers x = product(product(u, singular), transposed(v));
  d.step("1", "X", x);
  d.step("2", "‖X‖", std::sqrt(sum(4, [&](int64_t i) { return x(i) * x(i); })));
  const Numbers y = each(2, 2, [&](int64_t i, int64_t j) { return x(i, j) / 5; });
  d.step("3", "Y", y);
  const auto with = [&](double first, double second) { return product(product(u, Numbers{{first, 0}, {0, second}}), transposed(v)); };
  const Numbers cube = product(product(y, transposed(y)), y);
  d.step("4", "Y Yᵀ Y", cube);
  d.step("5", "Y Yᵀ Y", with(std::pow(0.6, 3), std::pow(0.8, 3)));
  const Numbers fifth = product(product(y, transposed(y)), cube);
  const Numbers once = each(2, 2, [&](int64_t i, int64_t j) { return 3.4445 * y(i, j) - 4.7750 * cube(i, j) + 2.0315 * fifth(i, j); });
  d.law("6", "once", once, optim::newton_schulz(x, 1));
  d.step("7", "p(0.6), p(0.8)", Numbers{polynomial(0.6), polynomial(0.8)});
  d.law("8", "once, by singular values", with(polynomial(0.6), polynomial(0.8)), once);
  const auto many = [&](double s) {
    std::vector<double> values;
    for (int i = 0; i < 5; ++i) values.push_back(s = polynomial(s));
    return Numbers({5}, values);
  };
  d.step("9", "0.6 after 1 to 5", many(0.6));
  d.step("10", "0.01 after 1 to 5", many(0.01));
  const Numbers result = with(five(0.6), five(0.8));
  d.law("11", "after 5", result, optim::newton_schulz(x));
  d.step("12", "U Vᵀ", with(1, 1));

  // A step from 0, by the first gradient X. Momentum: u = X, d = X + μ u, whose length the iteration does not see.
  const Tensor theta = zeros({2, 2}, DType::f64).set_requires_grad();
  optim::Muon muon(NamedTensors{{"theta", theta}}, {.lr = 0.1, .weight_decay = 0.5});
  theta.set_grad(x);
  muon.step();
  d.step("13", "RMS of U Vᵀ", std::sqrt(sum(4, [&](int64_t i) { return with(1, 1)(i) * with(1, 1)(i); }) / 4));
  d.law("14", "θ after a step", each(2, 2, [&](int64_t i, int64_t j) { return -0.1 * 0.2 * std::sqrt(2) * result(i, j); }), theta);
  d.step("15", "greatest factor of a small value", std::pow(3.4445, 5));
  return verdict();
}
