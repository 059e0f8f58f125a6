// Deep and wide graphs: built, walked and freed without recursion, so that no depth overflows the stack.
#include <functional>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/node.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int kDepth = 1'000'000;

Tensor chain(const Tensor& x, int depth) {
  Tensor y = x;
  for (int i = 0; i < depth; ++i) y = -y;
  return y;
}

}  // namespace

TEST_CASE("a chain of a million ops: built, walked, freed") {
  const Tensor x = tensor(1).set_requires_grad();
  const Tensor y = chain(x, kDepth);
  CHECK(live_nodes() == kDepth);
  y.backward();
  CHECK(x.grad().item() == 1);
  CHECK(live_nodes() == 0);
}

TEST_CASE("a chain of a million ops: a step with two inputs takes no more than 256 bytes, its value included") {
  const Tensor x = tensor(1).set_requires_grad(), a = tensor(0.5);
  const std::size_t before = pool::live_bytes();
  Tensor y = x;
  for (int i = 0; i < kDepth; ++i) y = y * a;
  const std::size_t rules = 2 * (sizeof(std::function<void()>) - 32);  // libc++'s take 48 bytes each, libstdc++'s 32
  CHECK(pool::live_bytes() - before <= (256 + rules) * (kDepth + 1));
}

TEST_CASE("a chain of a million ops: freed without ever being walked") {
  const Tensor x = tensor(1).set_requires_grad();
  {
    const Tensor y = chain(x, kDepth);
  }
  CHECK(live_nodes() == 0);
  CHECK(live_tensors() == 1);
}

TEST_CASE("a chain of a million ops: each with a second, shared input") {
  const Tensor x = tensor(1, DType::f64).set_requires_grad();
  Tensor y = x;
  for (int i = 0; i < kDepth; ++i) y = y + x;
  y.backward();
  CHECK(x.grad().item() == kDepth + 1);
}

TEST_CASE("a chain of a million ops: the gradient of its gradient") {
  const Tensor x = tensor(1, DType::f64).set_requires_grad();
  const Tensor y = chain(x, kDepth + 1) * x;
  const Tensor slope = grad({y}, {x}, {.create_graph = true})[0];
  CHECK(slope.item() == -2);
  CHECK(grad({slope}, {x})[0].item() == -2);
}

TEST_CASE("a gradient comes without a gradient that it has itself: a chain of a million set_grad() keeps none of them") {
  const Tensor first = tensor(1);
  Tensor x = first;
  for (int i = 0; i < kDepth; ++i) {
    const Tensor next = tensor(1);
    next.set_grad(x);
    x = next;
  }
  CHECK(live_tensors() == 3);  // first, x and x.grad()
  x = Tensor();
  CHECK(live_tensors() == 1);
}

TEST_CASE("a chain of a million hooks, each of which holds the tensor before: freed without recursion") {
  Tensor x = tensor(1);
  for (int i = 0; i < kDepth; ++i) {
    const Tensor next = tensor(1);
    next.add_hook([x](const Tensor&) { return x; });
    x = next;
  }
  x = Tensor();
  CHECK(live_tensors() == 0);
}

TEST_CASE("a wide graph: ten thousand inputs, joined") {
  Tensors leaves;
  for (int i = 0; i < 10'000; ++i) leaves.push_back(full({1}, i, DType::f64).set_requires_grad());
  const Tensor y = sum(square(cat(leaves, 0)));
  y.backward();
  for (std::size_t i = 0; i < leaves.size(); ++i) REQUIRE(leaves[i].grad().item() == 2.0 * static_cast<double>(i));
}

TEST_CASE("a wide graph: one tensor used ten thousand times") {
  const Tensor x = tensor({1, 2}, DType::f64).set_requires_grad();
  Tensor total = zeros({2}, DType::f64);
  for (int i = 0; i < 10'000; ++i) total = total + x * 2;
  sum(total).backward();
  CHECK(to_vector(x.grad()) == Values{20'000, 20'000});
}

TEST_CASE("a deep grid: paths double at every step, steps do not") {
  const Tensor x = tensor(1, DType::f64).set_requires_grad();
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = y + y;  // 2⁶⁰ paths
  y.backward();
  CHECK(x.grad().item() == 0x1p60);
}
