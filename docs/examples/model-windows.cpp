// model-conv2d, model-max-pool, model-average-pool: an image of nine numbers, a window of four.
#include <algorithm>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t H = 3, K = 2, O = H - K + 1;  // pixels, taps and places, along each axis

Tensor image(const Tensor& t) { return reshape(t, {1, 1, t.size(0), t.size(1)}); }
Tensor grid(const Tensor& t) { return reshape(t, {t.size(2), t.size(3)}); }

void conv2d() {
  Derivation d("model-conv2d");
  const Numbers x = d.given("x", {{1, 2, 0}, {0, 3, 1}, {4, 0, 2}});
  const Numbers w = d.given("w", {{1, 2}, {0, -1}});
  const Numbers g = d.given("g", {{1, 0}, {2, -1}});
  const auto over = [](int64_t n, const auto& f) {  // Σ over two counters
    return sum(n, [&](int64_t k) { return sum(n, [&](int64_t l) { return f(k, l); }); });
  };
  d.step("1", "y",
         each(O, O, [&](int64_t i, int64_t j) { return over(K, [&](int64_t k, int64_t l) { return w(k, l) * x(i + k, j + l); }); }));
  d.step("2", "∂y_11/∂w", each(K, K, [&](int64_t k, int64_t l) { return x(k, l); }));
  d.step("3", "dL/dw",
         each(K, K, [&](int64_t k, int64_t l) { return over(O, [&](int64_t i, int64_t j) { return g(i, j) * x(i + k, j + l); }); }));
  d.step("4", "dL/db", over(O, [&](int64_t i, int64_t j) { return g(i, j); }));
  d.step("5", "∂y_11/∂x", each(H, H, [&](int64_t p, int64_t q) { return p < K && q < K ? w(p, q) : 0; }));
  const auto g_or_0 = [&](int64_t i, int64_t j) { return i < 0 || j < 0 || i >= O || j >= O ? 0 : g(i, j); };
  d.step("6", "dL/dx", each(H, H, [&](int64_t p, int64_t q) {
    return over(O, [&](int64_t i, int64_t j) {
      return over(K, [&](int64_t k, int64_t l) { return g(i, j) * w(k, l) * delta(i + k, p) * delta(j + l, q); });
    });
  }));
  d.step("7", "dL/dx",
         each(H, H, [&](int64_t p, int64_t q) { return over(K, [&](int64_t k, int64_t l) { return w(k, l) * g_or_0(p - k, q - l); }); }));
  const Numbers padded = each(O + 2, O + 2, [&](int64_t i, int64_t j) { return g_or_0(i - 1, j - 1); });
  d.step("8", "dL/dx", each(H, H, [&](int64_t p, int64_t q) {
    return over(K, [&](int64_t k, int64_t l) { return w(K - 1 - k, K - 1 - l) * padded(p + k, q + l); });
  }));
  // Columns: a row for each tap, a column for each window.
  const Numbers X = each(K * K, O * O, [&](int64_t tap, int64_t place) { return x(place / O + tap / K, place % O + tap % K); });
  d.step("9", "X", X);
  d.step("10", "dL/dw flat",
         each(K * K, [&](int64_t tap) { return sum(O * O, [&](int64_t place) { return g(place / O, place % O) * X(tap, place); }); }));
  const double b = 0;
  const auto run = [&](const Tensor& tx, const Tensor& tw, const Tensor& tb) {
    return grid(nn::conv2d(image(tx), image(tw), reshape(tb, {1})));
  };
  const Numbers b_(b);
  d.gradient("dL/dw", [&](const Tensor& t) { return run(x, t, b_); }, w, g);
  d.gradient("dL/db", [&](const Tensor& t) { return run(x, w, t); }, b_, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return run(t, w, b_); }, x, g);
}

void max_pool() {
  Derivation d("model-max-pool");
  const Numbers x = d.given("x", {{1, 2, 0}, {0, 5, 1}, {6, 3, 2}});
  const Numbers g = d.given("g", {{1, 2}, {3, 4}});
  const auto greatest = [](const Numbers& a, int64_t i, int64_t j) {
    return std::max({a(i, j), a(i, j + 1), a(i + 1, j), a(i + 1, j + 1)});
  };
  const auto back = [&](const Numbers& a) {
    return each(H, H, [&](int64_t p, int64_t q) {
      double total = 0;
      for (int64_t i = std::max<int64_t>(p - 1, 0); i <= std::min<int64_t>(p, O - 1); ++i) {
        for (int64_t j = std::max<int64_t>(q - 1, 0); j <= std::min<int64_t>(q, O - 1); ++j) {
          const double most = greatest(a, i, j);
          const double equal =
              sum(K, [&](int64_t k) { return sum(K, [&](int64_t l) { return static_cast<double>(a(i + k, j + l) == most); }); });
          if (a(p, q) == most) total += g(i, j) / equal;
        }
      }
      return total;
    });
  };
  d.step("1", "y", each(O, O, [&](int64_t i, int64_t j) { return greatest(x, i, j); }));
  d.step("2", "dL/dx", back(x));
  d.gradient("dL/dx", [&](const Tensor& t) { return grid(nn::max_pool2d(image(t), 2, {.stride = 1})); }, x, g);

  const Numbers tied{{7, 1, 0}, {7, 7, 1}, {4, 3, 2}};
  const Tensor leaf = tied.tensor().set_requires_grad();
  d.law("3", "dL/dx where the 7 is there three times", back(tied),
        grad({grid(nn::max_pool2d(image(leaf), 2, {.stride = 1}))}, {leaf}, {.seeds = {g.tensor()}})[0]);
}

void average_pool() {
  Derivation d("model-average-pool");
  const Numbers x = d.given("x", {{1, 2, 0}, {0, 5, 1}, {4, 3, 2}});
  const Numbers g = d.given("g", {{4, 8}, {12, 16}});
  d.step("1", "y", each(O, O, [&](int64_t i, int64_t j) { return (x(i, j) + x(i, j + 1) + x(i + 1, j) + x(i + 1, j + 1)) / 4; }));
  const Numbers dx = each(H, H, [&](int64_t p, int64_t q) {
    double total = 0;
    for (int64_t i = 0; i < O; ++i) {
      for (int64_t j = 0; j < O; ++j) {
        if (p >= i && p < i + K && q >= j && q < j + K) total += g(i, j) / 4;
      }
    }
    return total;
  });
  d.step("2", "dL/dx", dx);
  d.law("3", "Σ dL/dx", sum(H * H, [&](int64_t k) { return dx(k); }), sum(O * O, [&](int64_t k) { return g(k); }));
  d.gradient("dL/dx", [&](const Tensor& t) { return grid(nn::avg_pool2d(image(t), 2, {.stride = 1})); }, x, g);
  const Numbers one(Shape{1, 1}, {8});
  d.law("4", "a corner, zeros counted", 8.0 / 4, nn::avg_pool2d(image(one), 2, {.padding = 1})[0][0][0][0]);
  d.law("5", "a corner, pixels alone", 8.0 / 1, nn::avg_pool2d(image(one), 2, {.padding = 1, .count_padding = false})[0][0][0][0]);
}

}  // namespace

int main() {
  conv2d();
  max_pool();
  average_pool();
  return verdict();
}
