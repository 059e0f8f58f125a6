// op-matmul: the value of a b and both of its gradients, line by line, on a [2, 3] and a [3, 4].
#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t rows = 2, inner = 3, columns = 4;

// By the tape: how much dL/da changes when b goes in the direction v.
Numbers change_of_da(const Numbers& a, const Numbers& b, const Numbers& g, const Numbers& v) {
  const Tensor ta = a.tensor().set_requires_grad(), tb = b.tensor().set_requires_grad();
  const Tensor da = grad({matmul(ta, tb)}, {ta}, {.seeds = {g.tensor()}, .create_graph = true})[0];
  return each(rows, inner, [&](int64_t t, int64_t i) {
    const Numbers slope = grad({da[t][i]}, {tb}, {.retain_graph = true})[0];
    return sum(inner * columns, [&](int64_t k) { return slope(k) * v(k); });
  });
}

void product() {
  Derivation d("op-matmul");
  const Numbers a = d.given("a", {{1, 2, 0}, {0, -1, 3}});
  const Numbers b = d.given("b", {{1, 0, 2, 1}, {0, 1, 1, -1}, {2, 1, 0, 0}});
  const Numbers g = d.given("g", {{1, 0, -1, 2}, {0, 1, 0, 1}});
  const Numbers v = d.given("v", {{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}});

  const Numbers y = each(rows, columns, [&](int64_t s, int64_t j) { return sum(inner, [&](int64_t k) { return a(s, k) * b(k, j); }); });
  d.step("h1", "y_11", 1 * 1 + 2 * 0 + 0 * 2);
  d.step("h2", "y_24", 0 * 1 + -1 * -1 + 3 * 0);
  d.step("h3", "y", y);

  d.step("1", "y", y);
  d.step("2", "∂y_14/∂a", each(rows, inner, [&](int64_t t, int64_t i) { return delta(0, t) * b(i, 3); }));
  d.step("3", "dL/da", each(rows, inner, [&](int64_t t, int64_t i) {
    return sum(rows, [&](int64_t s) { return sum(columns, [&](int64_t j) { return g(s, j) * delta(s, t) * b(i, j); }); });
  }));
  d.step("4", "dL/da", each(rows, inner, [&](int64_t t, int64_t i) { return sum(columns, [&](int64_t j) { return g(t, j) * b(i, j); }); }));
  const Numbers b_transposed = each(columns, inner, [&](int64_t j, int64_t i) { return b(i, j); });
  const Numbers da =
      each(rows, inner, [&](int64_t t, int64_t i) { return sum(columns, [&](int64_t j) { return g(t, j) * b_transposed(j, i); }); });
  d.step("5", "dL/da", da);

  d.step("6", "∂y_14/∂b", each(inner, columns, [&](int64_t i, int64_t l) { return a(0, i) * delta(3, l); }));
  d.step("7", "dL/db", each(inner, columns, [&](int64_t i, int64_t l) {
    return sum(rows, [&](int64_t s) { return sum(columns, [&](int64_t j) { return g(s, j) * a(s, i) * delta(j, l); }); });
  }));
  d.step("8", "dL/db", each(inner, columns, [&](int64_t i, int64_t l) { return sum(rows, [&](int64_t s) { return a(s, i) * g(s, l); }); }));
  const Numbers a_transposed = each(inner, rows, [&](int64_t i, int64_t s) { return a(s, i); });
  const Numbers db =
      each(inner, columns, [&](int64_t i, int64_t l) { return sum(rows, [&](int64_t s) { return a_transposed(i, s) * g(s, l); }); });
  d.step("9", "dL/db", db);

  const double loss = sum(rows * columns, [&](int64_t k) { return g(k) * y(k); });
  d.law("10", "Σ a ⊙ dL/da", sum(rows * inner, [&](int64_t k) { return a(k) * da(k); }), loss);
  d.law("11", "Σ b ⊙ dL/db", sum(inner * columns, [&](int64_t k) { return b(k) * db(k); }), loss);
  d.law("12", "g vᵀ", each(rows, inner, [&](int64_t t, int64_t i) { return sum(columns, [&](int64_t j) { return g(t, j) * v(i, j); }); }),
        change_of_da(a, b, g, v));

  // Two matrices, a and 2a, against one b; g arrives at both products.
  const Numbers both = stack({a.tensor(), 2 * a.tensor()}), g_of_both = stack({g.tensor(), g.tensor()});
  d.step("13", "dL/db of both", each(inner, columns, [&](int64_t i, int64_t l) {
    return sum(2, [&](int64_t batch) { return sum(rows, [&](int64_t s) { return both(batch, s, i) * g_of_both(batch, s, l); }); });
  }));

  d.gradient("dL/da", [&](const Tensor& t) { return matmul(t, b); }, a, g);
  d.gradient("dL/db", [&](const Tensor& t) { return matmul(a, t); }, b, g);
  d.gradient("dL/db of both", [&](const Tensor& t) { return matmul(both, t); }, b, g_of_both);
}

}  // namespace

int main() {
  product();
  return verdict();
}
