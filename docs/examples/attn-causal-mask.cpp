// attn-causal-mask: three tokens that may not see what comes later; the mask in its place, in the wrong place, and over all.
#include <cmath>
#include <limits>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 3;
constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor one_head(const Tensor& x) { return reshape(x, {1, n, 1, 1}); }  // [T] as [B, T, H, d]

// Each row of scores to probabilities; a row of nothing but -∞ would be NaN.
Numbers softmax(const Numbers& z) {
  return each(n, n, [&](int64_t t, int64_t s) { return std::exp(z(t, s)) / sum(n, [&](int64_t r) { return std::exp(z(t, r)); }); });
}

void causal_mask() {
  Derivation d("attn-causal-mask");
  const Numbers q = d.given("q", {1, 1, 1});
  const Numbers k = d.given("k", {0, std::log(2), std::log(3)});
  const Numbers v = d.given("v", {6, 12, 18});
  const Numbers g = d.given("g", {2, 3, -3});

  const Numbers z = each(n, n, [&](int64_t t, int64_t s) { return q(t) * k(s); });
  d.step("h1", "e^z", each(n, n, [&](int64_t t, int64_t s) { return std::exp(z(t, s)); }));
  const Numbers mask = each(n, n, [&](int64_t t, int64_t s) { return s > t ? -infinity : 0; });
  d.step("h2", "M", mask);
  const Numbers hidden = each(n, n, [&](int64_t t, int64_t s) { return z(t, s) + mask(t, s); });
  d.step("h3", "e^(z + M)", each(n, n, [&](int64_t t, int64_t s) { return std::exp(hidden(t, s)); }));
  const Numbers p = softmax(hidden);
  d.step("h4", "P", p);
  const Numbers y = each(n, [&](int64_t t) { return sum(n, [&](int64_t s) { return p(t, s) * v(s); }); });
  d.step("h5", "y", y);
  const auto attend = [](const Tensor& a, const Tensor& b, const Tensor& c, const nn::ScaledDotOptions& options) {
    return reshape(nn::attention(one_head(a), one_head(b), one_head(c), options), {n});
  };
  const Tensor two = nn::padding_mask(gradus::tensor({2}, DType::i64), n);
  d.law("h6", "y with the third key as padding", each(n, [&](int64_t) { return (6 + 2 * 12) / 3.0; }), attend(q, k, v, {.mask = two}));

  // The gradient.
  const auto dp = [&](int64_t t, int64_t s) { return g(t) * v(s); };
  d.step("1", "D", each(n, [&](int64_t t) { return g(t) * y(t); }));
  const Numbers dz = each(n, n, [&](int64_t t, int64_t s) { return p(t, s) * (dp(t, s) - g(t) * y(t)); });
  d.step("2", "dL/d(z + M)", dz);
  d.step("3", "dL/dz", each(n, n, [&](int64_t t, int64_t s) { return s > t ? 0 : dz(t, s); }));
  d.step("4", "dL/dk", each(n, [&](int64_t s) { return sum(n, [&](int64_t t) { return dz(t, s) * q(t); }); }));
  d.step("5", "dL/dk", each(n, [&](int64_t s) { return sum(n - s, [&](int64_t t) { return dz(t + s, s) * q(t + s); }); }));
  d.step("6", "dL/dv", each(n, [&](int64_t s) { return sum(n - s, [&](int64_t t) { return p(t + s, s) * g(t + s); }); }));
  d.step("7", "dL/dq", each(n, [&](int64_t t) { return sum(t + 1, [&](int64_t s) { return dz(t, s) * k(s); }); }));
  d.law("8", "dy_1/dk", each(n, [&](int64_t s) { return v(0) * p(0, 0) * (delta(0, s) - p(0, s)); }), {0, 0, 0});
  d.law("9", "Σ_s dL/dz", each(n, [&](int64_t t) { return sum(n, [&](int64_t s) { return dz(t, s); }); }), {0, 0, 0});
  d.gradient("dL/dq", [&](const Tensor& t) { return attend(t, k, v, {.causal = true}); }, q, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return attend(q, t, v, {.causal = true}); }, k, g);
  d.gradient("dL/dv", [&](const Tensor& t) { return attend(q, k, t, {.causal = true}); }, v, g);

  // The same mask behind the softmax, as a factor 0.
  const Numbers all = softmax(z);
  d.step("m1", "each row of P without a mask", each(n, [&](int64_t s) { return all(0, s); }));
  d.step("m2", "sums of the rows of P ⊙ mask", each(n, [&](int64_t t) { return sum(t + 1, [&](int64_t s) { return all(t, s); }); }));
  const Numbers leak = each(n, [&](int64_t t) { return sum(t + 1, [&](int64_t s) { return all(t, s) * v(s); }); });
  d.step("m3", "y behind", leak);
  d.step("m4", "dy_1/dk behind", each(n, [&](int64_t s) { return v(0) * all(0, 0) * (delta(0, s) - all(0, s)); }));
  d.law("m5", "e^k_2 + e^k_3, from y_1 alone", v(0) / leak(0) - 1, std::exp(k(1)) + std::exp(k(2)));
  d.step("m6", "y_1 with scores of 0 for hidden keys", (6 + 12 + 18) / 3.0);

  // A query that sees nothing.
  Numbers nan_count = sum(isnan(nn::softmax(Numbers{-infinity, -infinity, -infinity}.tensor())));
  d.law("f1", "NaN in softmax([-∞, -∞, -∞])", 3, nan_count);
  const Tensor third = reshape(gradus::tensor({1, 1, 1, 1, 1, 1, 0, 0, 0}, DType::i64), {n, n});
  d.law("f2", "y, the third query blind", {14, 14, 0}, attend(q, k, v, {.mask = third}));
  const Tensor leaf = q.tensor().set_requires_grad();
  const Numbers dq = grad({attend(leaf, k, v, {.mask = third})}, {leaf}, {.seeds = {g.tensor()}})[0];
  d.law("f3", "dL/dq of the blind query", 0, dq(2));
  const auto weighed = [&](auto zero) {  // with -10⁹ in place of -∞, in the arithmetic of zero's type
    using T = decltype(zero);
    T total = 0, result = 0;
    for (int64_t s = 0; s < n; ++s) {
      const T e = std::exp(static_cast<T>(static_cast<T>(k(s)) + T(-1e9)) - static_cast<T>(static_cast<T>(k(2)) + T(-1e9)));
      total += e;
      result += e * static_cast<T>(v(s));
    }
    return static_cast<double>(result / total);
  };
  d.law("f4", "y of a query blind by -10⁹, in f64", std::round(weighed(0.0) * 1e4) / 1e4, 14);
  d.law("f5", "y of a query blind by -10⁹, in f32", weighed(0.0F), 12);
}

}  // namespace

int main() {
  causal_mask();
  return verdict();
}
