// model-embedding: rows looked up, and their gradients added back, on four rows of two numbers.
#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("model-embedding");
  const Numbers table = d.given("E", {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  const Numbers ids = d.given("ids", {2, 0, 2});
  const Numbers g = d.given("g", {{1, 0}, {2, -1}, {3, 1}});
  constexpr int64_t V = 4, n = 2, T = 3;
  const auto id = [&](int64_t t) { return static_cast<int64_t>(ids(t)); };
  const auto P = [&](int64_t t, int64_t v) { return delta(id(t), v); };

  d.step("h1", "y", each(T, n, [&](int64_t t, int64_t i) { return table(id(t), i); }));
  d.step("h2", "P", each(T, V, P));
  d.step("h3", "y", each(T, n, [&](int64_t t, int64_t i) { return sum(V, [&](int64_t v) { return P(t, v) * table(v, i); }); }));

  d.step("1", "y", each(T, n, [&](int64_t t, int64_t i) { return table(id(t), i); }));
  d.step("2", "y", each(T, n, [&](int64_t t, int64_t i) { return sum(V, [&](int64_t v) { return P(t, v) * table(v, i); }); }));
  d.step("3", "∂y_11/∂E", each(V, n, [&](int64_t v, int64_t j) { return P(0, v) * delta(0, j); }));
  d.step("4", "dL/dE", each(V, n, [&](int64_t v, int64_t j) {
    return sum(T, [&](int64_t t) { return sum(n, [&](int64_t i) { return g(t, i) * P(t, v) * delta(i, j); }); });
  }));
  d.step("5", "dL/dE", each(V, n, [&](int64_t v, int64_t j) { return sum(T, [&](int64_t t) { return P(t, v) * g(t, j); }); }));
  d.step("6", "dL/dE", each(V, n, [&](int64_t v, int64_t j) {
    double total = 0;
    for (int64_t t = 0; t < T; ++t) {
      if (id(t) == v) total += g(t, j);
    }
    return total;
  }));
  std::vector<double> scattered(V * n);
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t j = 0; j < n; ++j) scattered[static_cast<std::size_t>(id(t) * n + j)] += g(t, j);
  }
  const Numbers dE({V, n}, scattered);
  d.step("7", "dL/dE", dE);
  d.law("8", "Σ dL/dE over the rows", each(n, [&](int64_t j) { return sum(V, [&](int64_t v) { return dE(v, j); }); }),
        each(n, [&](int64_t j) { return sum(T, [&](int64_t t) { return g(t, j); }); }));
  std::vector<double> last(V * n);
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t j = 0; j < n; ++j) last[static_cast<std::size_t>(id(t) * n + j)] = g(t, j);
  }
  d.step("9", "the last one wins", Numbers({V, n}, last));

  const Tensor places = cast(ids.tensor(), DType::i64);
  const auto lookup = [&](const Tensor& t) {
    nn::Embedding layer(V, n);
    layer.weight.share(t);
    return layer(places);
  };
  d.gradient("dL/dE", lookup, table, g);
  return verdict();
}
