// The ops that the book shows as formulas: values and derivatives worked out by hand.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("op-mul: dL/da = dL/dy b, dL/db = dL/dy a, and the product rule for a product with itself") {
  const Tensor a = leaf({2, -3}), b = leaf({5, 7}), seed = f64({1, 10});
  const Tensors found = grad({a * b}, {a, b}, {.seeds = {seed}});
  CHECK(to_vector(found[0]) == Values{5, 70});
  CHECK(to_vector(found[1]) == Values{2, -30});
  CHECK(to_vector(grad({a * a}, {a}, {.seeds = {seed}})[0]) == Values{4, -60});
}

TEST_CASE("op-add: hands dL/dy on to both, and sums it for the one that was repeated") {
  const Tensor a = leaf({{1, 2}, {3, 4}}), b = leaf({10, 20});
  CHECK(to_vector(a + b) == Values{11, 22, 13, 24});
  const Tensors found = grad({a + b}, {a, b}, {.seeds = {f64({{1, 2}, {3, 4}})}});
  CHECK(to_vector(found[0]) == Values{1, 2, 3, 4});
  CHECK(to_vector(found[1]) == Values{4, 6});
}

TEST_CASE("op-exp: is its own derivative, of every order, and turns a sum into a product") {
  const Tensor x = leaf({-1, 0, 2});
  Tensor y = exp(x);
  for (int order = 0; order < 4; ++order) {
    CHECK(difference(y, exp(x), 1e-15) == "");
    y = grad({sum(y)}, {x}, {.create_graph = true})[0];
  }
  CHECK(difference(exp(x + 1), exp(x) * std::exp(1.0), 1e-15) == "");
}

TEST_CASE("op-sum: Σ along an axis, and dL/dx is dL/dy repeated along it") {
  const Tensor x = leaf({{1, 2, 3}, {4, 5, 6}});
  CHECK(to_vector(sum(x, {0})) == Values{5, 7, 9});
  CHECK(to_vector(sum(x, {1})) == Values{6, 15});
  CHECK(sum(x).item() == 21);
  CHECK(to_vector(grad({sum(x, {1})}, {x}, {.seeds = {f64({1, 10})}})[0]) == Values{1, 1, 1, 10, 10, 10});
}

TEST_CASE("op-matmul: y_ij = Σ a_ik b_kj, dL/da = G bᵀ and dL/db = aᵀ G, each way transposed") {
  const Tensor a = leaf({{1, 2}, {3, 4}, {5, 6}}), b = leaf({{1, -1}, {2, 0}}), seed = f64({{1, 0}, {0, 1}, {1, 1}});
  CHECK(to_vector(matmul(a, b)) == Values{5, -1, 11, -3, 17, -5});
  const Tensors found = grad({matmul(a, b)}, {a, b}, {.seeds = {seed}});
  CHECK(to_vector(found[0]) == Values{1, 2, -1, 0, 0, 2});
  CHECK(to_vector(found[1]) == Values{6, 8, 8, 10});
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Tensor left = (ta ? transpose(a) : a).detached_copy().set_requires_grad();
      const Tensor right = (tb ? transpose(b) : b).detached_copy().set_requires_grad();
      const Tensor y = matmul(left, right, {ta, tb});
      CHECK(to_vector(y) == to_vector(matmul(a, b)));
      const Tensors each = grad({y}, {left, right}, {.seeds = {seed}});
      CHECK(to_vector(ta ? transpose(each[0]) : each[0]) == to_vector(found[0]));
      CHECK(to_vector(tb ? transpose(each[1]) : each[1]) == to_vector(found[1]));
    }
  }
}
