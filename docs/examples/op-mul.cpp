// op-mul: the value of a ⊙ b, its gradient and its second derivatives, line by line, on three numbers.
#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// By the tape: second derivatives of L = Σ g ⊙ a ⊙ b for (a_1, b_1).
Numbers hessian(const Numbers& a, const Numbers& b, const Numbers& g) {
  const Tensors leaves{a.tensor().set_requires_grad(), b.tensor().set_requires_grad()};
  const Tensors first = grad({leaves[0] * leaves[1]}, leaves, {.seeds = {g.tensor()}, .create_graph = true});
  return each(2, 2, [&](int64_t i, int64_t j) {
    const Tensor second = grad({first[i][0]}, {leaves[j]}, {.retain_graph = true, .allow_unused = true})[0];
    return second.defined() ? second.at({0}) : 0;
  });
}

void product() {
  Derivation d("op-mul");
  const Numbers a = d.given("a", {2, -1, 3});
  const Numbers b = d.given("b", {3, 4, 0});
  const Numbers g = d.given("g", {1, 2, -1});
  constexpr int64_t n = 3;

  const Numbers y = each(n, [&](int64_t i) { return a(i) * b(i); });
  d.step("h1", "y", y);
  d.step("h2", "L", sum(n, [&](int64_t i) { return g(i) * y(i); }));
  d.step("h3", "L, a_1 moved by 0.1", 1 * (2 + 0.1) * 3 + 2 * -1 * 4 + -1 * 3 * 0);

  d.step("1", "y", each(n, [&](int64_t i) { return a(i) * b(i); }));
  d.step("2", "∂y_1/∂a", each(n, [&](int64_t j) { return delta(0, j) * b(0); }));
  d.step("3", "dL/da", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * delta(i, j) * b(i); }); }));
  const Numbers da = each(n, [&](int64_t j) { return g(j) * b(j); });
  d.step("4", "dL/da", da);
  d.step("5", "∂y_1/∂b", each(n, [&](int64_t j) { return a(0) * delta(0, j); }));
  d.step("6", "dL/db", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * a(i) * delta(i, j); }); }));
  const Numbers db = each(n, [&](int64_t j) { return g(j) * a(j); });
  d.step("7", "dL/db", db);
  d.step("8", "dL/da of a ⊙ a", each(n, [&](int64_t j) { return g(j) * a(j) + g(j) * a(j); }));
  d.law("9", "H", each(2, 2, [&](int64_t i, int64_t j) { return i == j ? 0 : g(0); }), hessian(a, b, g));
  d.law("10", "Σ a ⊙ dL/da", sum(n, [&](int64_t j) { return a(j) * da(j); }), sum(n, [&](int64_t j) { return g(j) * y(j); }));
  d.law("11", "Σ b ⊙ dL/db", sum(n, [&](int64_t j) { return b(j) * db(j); }), sum(n, [&](int64_t j) { return g(j) * y(j); }));

  d.gradient("dL/da", [&](const Tensor& t) { return t * b; }, a, g);
  d.gradient("dL/db", [&](const Tensor& t) { return a * t; }, b, g);
  d.gradient("dL/da of a ⊙ a", [](const Tensor& t) { return t * t; }, a, g);
}

}  // namespace

int main() {
  product();
  return verdict();
}
