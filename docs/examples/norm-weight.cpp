// norm-weight and norm-spectral: a weight divided by its length, and by its largest singular value.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void weight_norm() {
  Derivation d("norm-weight");
  const Numbers v = d.given("v", {3, 4});
  const Numbers gain = d.given("γ", {10});  // one for each row, and here is one row
  const Numbers dw = d.given("dL/dw", {1, 2});

  const double length = std::sqrt(sum(2, [&](int64_t i) { return v(i) * v(i); }));
  d.step("1", "‖v‖", length);
  d.step("2", "w", each(2, [&](int64_t i) { return gain(0) * v(i) / length; }));
  const double d_gain = sum(2, [&](int64_t i) { return dw(i) * v(i) / length; });
  d.step("3", "dL/dγ", {d_gain});
  d.step("4", "∂‖v‖/∂v", each(2, [&](int64_t j) { return v(j) / length; }));
  const auto jacobian = [&](int64_t i, int64_t j) { return gain(0) * (delta(i, j) / length - v(i) / (length * length) * v(j) / length); };
  d.step("5", "∂w_1/∂v", each(2, [&](int64_t j) { return jacobian(0, j); }));
  d.step("6", "dL/dv", each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return dw(i) * jacobian(i, j); }); }));
  const Numbers dv = each(2, [&](int64_t j) { return gain(0) / length * (dw(j) - v(j) / length * d_gain); });
  d.step("7", "dL/dv", dv);
  d.law("8", "Σ v ⊙ dL/dv", sum(2, [&](int64_t j) { return v(j) * dv(j); }), 0);
  const double longer = sum(2, [&](int64_t j) { return (v(j) - dv(j)) * (v(j) - dv(j)); });
  d.step("9", "‖v‖² after a step", longer);
  d.step("10", "‖v‖² after a step", length * length + sum(2, [&](int64_t j) { return dv(j) * dv(j); }));

  const auto f = [](const Tensor& direction, const Tensor& by) { return reshape(nn::weight_norm(reshape(direction, {1, 2}), by), {2}); };
  d.gradient("dL/dv", [&](const Tensor& t) { return f(t, gain); }, v, dw);
  d.gradient("dL/dγ", [&](const Tensor& t) { return f(v, t); }, gain, dw);
}

void spectral_norm() {
  Derivation d("norm-spectral");
  const Numbers w = d.given("W", {{3.6, 0.2}, {2.3, 3.6}});
  const Numbers g = d.given("dL/dw", {{1, 0}, {2, 1}});
  const Numbers start = d.given("v", {1, 0});

  const auto times = [&](const Numbers& v) {
    return each(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return w(i, j) * v(j); }); });
  };
  const auto transposed_times = [&](const Numbers& u) {
    return each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return w(i, j) * u(i); }); });
  };
  const auto unit = [](const Numbers& a) {
    const double length = std::sqrt(a(0) * a(0) + a(1) * a(1));
    return each(2, [&](int64_t i) { return a(i) / length; });
  };
  const auto stretch = [&](const Numbers& u, const Numbers& v) {
    return sum(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return u(i) * w(i, j) * v(j); }); });
  };
  // The first singular vectors of this W are (3, 4) / 5 and (4, 3) / 5, its singular values 5 and 2.5.
  const Numbers u1 = {0.6, 0.8}, v1 = {0.8, 0.6}, v2 = {-0.6, 0.8};
  const auto tangent = [&](const Numbers& v) { return (v(0) * v2(0) + v(1) * v2(1)) / (v(0) * v1(0) + v(1) * v1(1)); };
  d.step("h1", "tangent of the angle to v₁", tangent(start));
  Numbers u = start, v = start;
  std::vector<double> sigmas, tangents;
  for (int round = 0; round < 4; ++round) {
    u = unit(times(v));
    v = unit(transposed_times(u));
    sigmas.push_back(stretch(u, v));
    tangents.push_back(tangent(v));
    if (round == 0) d.step("h2", "u after 1 round", u);
    if (round == 0) d.step("h3", "v after 1 round", v);
  }
  d.step("h4", "σ after 1, 2, 3, 4 rounds", Numbers({4}, sigmas));
  d.step("h5", "tangents", Numbers({4}, tangents));
  Tensor library_u = zeros({2}, DType::f64), library_v = start.tensor();
  nn::power_iteration(w, library_u, library_v, 4);
  d.law("h6", "v after 4 rounds", v, Numbers(library_v));

  d.step("1", "u", u1);
  d.step("2", "v", v1);
  const double sigma = stretch(u1, v1);
  d.step("3", "σ₁", sigma);
  const Numbers dsigma = each(2, 2, [&](int64_t i, int64_t j) { return u1(i) * v1(j); });
  d.step("4", "dσ₁/dW", dsigma);
  const Numbers normalised = each(2, 2, [&](int64_t i, int64_t j) { return w(i, j) / sigma; });
  d.step("5", "w", normalised);
  const double along = sum(4, [&](int64_t k) { return g(k) * normalised(k); });
  d.step("6", "Σ dL/dw ⊙ w", along);
  d.step("7", "dL/dW", each(2, 2, [&](int64_t i, int64_t j) {
    return g(i, j) / sigma - sum(4, [&](int64_t k) { return g(k) * w(k) / (sigma * sigma); }) * dsigma(i, j);
  }));
  const Numbers dw = each(2, 2, [&](int64_t i, int64_t j) { return (g(i, j) - along * u1(i) * v1(j)) / sigma; });
  d.step("8", "dL/dW", dw);
  d.law("9", "Σ W ⊙ dL/dW", sum(4, [&](int64_t k) { return w(k) * dw(k); }), 0);

  d.gradient("dL/dW", [&](const Tensor& t) { return nn::spectral_norm(t, u1, v1); }, w, g);
  // The σ₁ of a 2 × 2 matrix has a formula without u and v: half the sum of the lengths of (a + d, b - c) and (a - d, b + c).
  d.gradient("dσ₁/dW", [](const Tensor& t) {
    const auto at = [&](int64_t i, int64_t j) { return select(select(t, 0, i), 0, j); };
    const auto length = [](const Tensor& x, const Tensor& y) { return sqrt(square(x) + square(y)); };
    return (length(at(0, 0) + at(1, 1), at(0, 1) - at(1, 0)) + length(at(0, 0) - at(1, 1), at(0, 1) + at(1, 0))) / 2;
  }, w, 1);
}

}  // namespace

int main() {
  weight_norm();
  spectral_norm();
  return verdict();
}
