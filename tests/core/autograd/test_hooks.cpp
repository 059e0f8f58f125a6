// Hooks: they see the complete gradient of a tensor, and may change it.
#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("hook: sees the sum of all paths, once") {
  const Tensor x = leaf(2), y = x * 1;
  Values seen;
  y.add_hook([&](const Tensor& gradient) {
    seen.push_back(gradient.item());
    return Tensor();
  });
  (y * y + y * 3).backward();
  CHECK(seen == Values{7});
  CHECK(x.grad().item() == 7);
}

TEST_CASE("hook: changes what goes on, inside the graph and at a leaf") {
  const Tensor x = leaf(2), y = x * 3;
  y.add_hook([](const Tensor& gradient) { return gradient * 10; });
  x.add_hook([](const Tensor& gradient) { return gradient + 1; });
  (y * 2).backward();
  CHECK(x.grad().item() == 61);
}

TEST_CASE("hook: an empty function is refused") {
  const Tensor x = ones({2}).set_requires_grad();
  CHECK_THROWS_WITH_AS(x.add_hook({}), "add_hook: the hook is an empty function", ValueError);
}

TEST_CASE("hook: several run in the order they were added, each on the result of the one before") {
  const Tensor x = leaf(1);
  x.add_hook([](const Tensor& gradient) { return gradient * 2; });
  x.add_hook([](const Tensor& gradient) { return gradient + 1; });
  (x * 5).backward();
  CHECK(x.grad().item() == 11);
}

TEST_CASE("hook: works for grad() too, and retain_grad sees the changed gradient") {
  const Tensor x = leaf(1), y = x * 2;
  y.add_hook([](const Tensor& gradient) { return gradient * 100; });
  y.retain_grad();
  const Tensor z = y * 3;
  CHECK(grad({z}, {y}, {.retain_graph = true})[0].item() == 300);
  z.backward();
  CHECK(y.grad().item() == 300);
}

TEST_CASE("hook: a gradient of another shape is refused") {
  const Tensor x = leaf({1, 2});
  x.add_hook([](const Tensor&) { return ones({3}, DType::f64); });
  CHECK_THROWS_WITH_AS(sum(x).backward(), "hook: a gradient of shape [3] for a tensor of [2]", ShapeError);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("hook: under create_graph its own ops are differentiated") {
  const Tensor x = leaf(3), y = x * 1;
  y.add_hook([](const Tensor& gradient) { return gradient * gradient; });
  const Tensor slope = grad({y * y}, {x}, {.create_graph = true})[0];  // (2y)²
  CHECK(slope.item() == 36);
  CHECK(grad({slope}, {x})[0].item() == 24 * 24);  // 8y, which passes y and its hook again
}

TEST_CASE("hook: one that records the gradient does not disturb the leaves'") {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4});
  Tensor kept;
  a.add_hook([&](const Tensor& gradient) {
    kept = gradient;
    return Tensor();
  });
  sum(a + b).backward();
  CHECK_FALSE(kept.shares_storage(a.grad()));
  CHECK_FALSE(kept.shares_storage(b.grad()));
}

TEST_CASE("hook: one that changes its gradient in place changes this tensor's alone") {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4}), y = a + b, seed = tensor({5, 6}, DType::f64);
  a.add_hook([](Tensor gradient) {
    gradient.fill(0);
    return Tensor();
  });
  y.backward(seed);
  CHECK(to_vector(a.grad()) == Values{0, 0});
  CHECK(to_vector(b.grad()) == Values{5, 6});
  CHECK(to_vector(seed) == Values{5, 6});
}

TEST_CASE("hook: a gradient of another dtype is refused") {
  const Tensor x = leaf(1), y = x * 2;
  y.add_hook([](const Tensor& gradient) { return cast(gradient, DType::f32); });
  CHECK_THROWS_WITH_AS(y.backward(), "hook: a gradient of f32 for a tensor of f64; use cast", DTypeError);
}

TEST_CASE("hook: one that adds another is heard the next time") {
  const Tensor x = leaf(1);
  int first = 0, second = 0;
  x.add_hook([&](const Tensor&) {
    ++first;
    for (int i = 0; i < 20 && first == 1; ++i) {  // enough to move what holds them
      x.add_hook([&](const Tensor&) {
        ++second;
        return Tensor();
      });
    }
    return Tensor();
  });
  (x * 2).backward();
  CHECK(second == 0);
  (x * 2).backward();
  CHECK(second == 20);
}

TEST_CASE("hook: its gradient may be on the tape, and what is kept is not") {
  const Tensor w = leaf(5), recorded = w * 3, x = leaf(1), young = leaf(2);
  young.add_hook([=](const Tensor&) { return recorded; });
  x.add_hook([=](const Tensor&) { return recorded; });
  (x * young).backward();
  CHECK(young.grad().item() == 15);
  CHECK(x.grad().item() == 15);
  CHECK(young.grad().is_leaf());
  CHECK(grad({x * young}, {x})[0].is_leaf());
}
