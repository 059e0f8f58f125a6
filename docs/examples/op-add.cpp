// op-add, op-exp and op-sum: values and gradients, line by line, on a few numbers.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void add_with_broadcasting() {
  Derivation d("op-add");
  const Numbers a = d.given("a", {{1, 2, 3}, {4, 5, 6}});
  const Numbers b = d.given("b", {10, 20, 30});
  const Numbers c = d.given("c", Numbers(Shape{2, 1}, {100, 200}));
  const Numbers g = d.given("g", {{1, 0, 2}, {3, -1, 4}});
  constexpr int64_t rows = 2, n = 3;

  d.step("h1", "a + b", each(rows, n, [&](int64_t s, int64_t i) { return a(s, i) + b(i); }));
  d.step("h2", "a + c", each(rows, n, [&](int64_t s, int64_t i) { return a(s, i) + c(s, 0); }));

  d.step("1", "y", each(rows, n, [&](int64_t s, int64_t i) { return a(s, i) + b(i); }));
  d.step("2", "∂y_11/∂a", each(rows, n, [&](int64_t t, int64_t j) { return delta(0, t) * delta(0, j); }));
  d.step("3", "dL/da", each(rows, n, [&](int64_t t, int64_t j) {
    return sum(rows, [&](int64_t s) { return sum(n, [&](int64_t i) { return g(s, i) * delta(s, t) * delta(i, j); }); });
  }));
  d.step("4", "dL/da", g);
  d.step("5", "∂y_11/∂b", each(n, [&](int64_t j) { return delta(0, j); }));
  d.step("6", "dL/db", each(n, [&](int64_t j) {
    return sum(rows, [&](int64_t s) { return sum(n, [&](int64_t i) { return g(s, i) * delta(i, j); }); });
  }));
  const Numbers db = each(n, [&](int64_t j) { return sum(rows, [&](int64_t s) { return g(s, j); }); });
  d.step("7", "dL/db", db);
  d.step("8", "dL/dc", each(rows, 1, [&](int64_t t, int64_t) { return sum(n, [&](int64_t i) { return g(t, i); }); }));
  const double all = sum(rows * n, [&](int64_t k) { return g(k); });
  d.step("9", "dL/dz", all);
  d.law("10", "Σ dL/db", sum(n, [&](int64_t j) { return db(j); }), all);

  d.gradient("dL/da", [&](const Tensor& t) { return t + b; }, a, g);
  d.gradient("dL/db", [&](const Tensor& t) { return a + t; }, b, g);
  d.gradient("dL/dc", [&](const Tensor& t) { return a + t; }, c, g);
  d.gradient("dL/dz", [&](const Tensor& t) { return a + t; }, 7, g);
}

void exponential() {
  Derivation d("op-exp");
  const Numbers x = d.given("x", {0, std::log(2), -std::log(4)});
  const Numbers g = d.given("g", {1, -1, 4});
  constexpr int64_t n = 3;

  const Numbers y = each(n, [&](int64_t i) { return std::exp(x(i)); });
  d.step("1", "y", y);
  d.step("2", "∂y_2/∂x", each(n, [&](int64_t j) { return delta(1, j) * y(1); }));
  d.step("3", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * delta(i, j) * y(i); }); }));
  const Numbers dx = each(n, [&](int64_t j) { return g(j) * y(j); });
  d.step("4", "dL/dx", dx);

  // dL/dx = g ⊙ y, computed on the tape, differentiated again.
  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor slope = grad({exp(leaf)}, {leaf}, {.seeds = {g.tensor()}, .create_graph = true})[0];
  const Tensor bend = grad({sum(slope)}, {leaf}, {.create_graph = true})[0];
  const Tensor third = grad({sum(bend)}, {leaf})[0];
  d.law("5", "d²L/dx²", each(n, [&](int64_t j) { return g(j) * y(j); }), bend);
  d.law("6", "d³L/dx³", each(n, [&](int64_t j) { return g(j) * y(j); }), third);

  d.gradient("dL/dx", [](const Tensor& t) { return exp(t); }, x, g);
}

void sums() {
  Derivation d("op-sum");
  const Numbers x = d.given("x", {{1, 2, 3}, {4, 5, 6}});
  const Numbers g = d.given("g", {2, -1});
  const Numbers down = d.given("g of the sum over rows", {1, 0, -2});
  constexpr int64_t rows = 2, n = 3;

  d.step("1", "y", each(rows, [&](int64_t s) { return sum(n, [&](int64_t i) { return x(s, i); }); }));
  d.step("2", "∂y_1/∂x", each(rows, n, [&](int64_t t, int64_t) { return delta(0, t); }));
  d.step("3", "dL/dx", each(rows, n, [&](int64_t t, int64_t) { return sum(rows, [&](int64_t s) { return g(s) * delta(s, t); }); }));
  const Numbers dx = each(rows, n, [&](int64_t t, int64_t) { return g(t); });
  d.step("4", "dL/dx", dx);
  d.step("5", "dL/dx, over rows", each(rows, n, [&](int64_t, int64_t j) { return down(j); }));
  d.step("6", "dL/dx, of the mean", each(rows, n, [&](int64_t t, int64_t) { return g(t) / n; }));
  d.law("7", "Σ x ⊙ dL/dx", sum(rows * n, [&](int64_t k) { return x(k) * dx(k); }),
        sum(rows, [&](int64_t s) { return g(s) * sum(n, [&](int64_t i) { return x(s, i); }); }));

  float running = 0;
  for (int i = 0; i < 1000000; ++i) running += 0.1f;
  d.step("8", "one after the other", running);

  d.gradient("dL/dx", [](const Tensor& t) { return sum(t, 1); }, x, g);
  d.gradient("dL/dx, over rows", [](const Tensor& t) { return sum(t, 0); }, x, down);
  d.gradient("dL/dx, of the mean", [](const Tensor& t) { return mean(t, 1); }, x, g);
}

}  // namespace

int main() {
  add_with_broadcasting();
  exponential();
  sums();
  return verdict();
}
