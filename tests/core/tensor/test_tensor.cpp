// The handle: what copying, changing in place, viewing and naming anew do; and the pool below it.
#include "core/tensor/tensor.h"

#include <cstdint>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("handle: a copy is the same tensor, detached_copy another") {
  Tensor a = tensor({1, 2});
  const Tensor b = a, c = a.detached_copy();
  CHECK(a.same_as(b));
  CHECK_FALSE(a.same_as(c));
  CHECK_FALSE(a.shares_storage(c));
  a.fill(9);
  CHECK(to_vector(b) == Values{9, 9});
  CHECK(to_vector(c) == Values{1, 2});
}

TEST_CASE("handle: a default one is undefined, a moved-from one too") {
  Tensor a;
  CHECK_FALSE(a.defined());
  Tensor b = ones({1});
  a = std::move(b);
  CHECK(a.defined());
  CHECK_FALSE(b.defined());  // NOLINT: moved from, on purpose
}

TEST_CASE("handle: = binds the name anew and changes nothing in place") {
  Tensor a = tensor({1, 2});
  const Tensor b = a;
  const auto version = b.version();
  a = a + b;
  CHECK(to_vector(a) == Values{2, 4});
  CHECK(to_vector(b) == Values{1, 2});
  CHECK(b.version() == version);
}

TEST_CASE("compound assignment: changes the values behind every handle, and counts as a change in place") {
  Tensor a = tensor({1, 2});
  const Tensor same = a, b = tensor({1, 2});
  const auto version = a.version();
  a += b;
  CHECK(to_vector(same) == Values{2, 4});
  a -= 1;
  a *= 3;
  CHECK(to_vector(same) == Values{3, 9});
  a /= b;
  CHECK(to_vector(same) == Values{3, 4.5});
  a += tensor(0.5);  // broadcast to a
  CHECK(to_vector(same) == Values{3.5, 5});
  CHECK(a.same_as(same));
  CHECK(a.version() > version);
}

TEST_CASE("compound assignment: updates parameters under NoGrad, the loop every course begins with") {
  const Tensor w = tensor({3, -2}).set_requires_grad();
  Tensors parameters{w};
  sum(w * w).backward();
  {
    const NoGrad off;
    for (Tensor& p : parameters) p -= 0.25 * p.grad();
  }
  CHECK(to_vector(w) == Values{1.5, -1});
  CHECK(w.is_leaf());
  CHECK(w.requires_grad());
  CHECK(parameters[0].same_as(w));
}

TEST_CASE("compound assignment: a GraphError while recording, for either side, and nothing has changed") {
  Tensor w = tensor({3, -2}).set_requires_grad(), total = zeros({2});
  CHECK_THROWS_WITH_AS(w -= 1,
                       "-=: changes a tensor in place, which the tape cannot record. To update a parameter, write "
                       "{ NoGrad off; p -= …; }; otherwise a = a - b",
                       GraphError);
  CHECK_THROWS_AS(w *= w, GraphError);
  CHECK_THROWS_AS(total += w, GraphError);  // the sum would have no gradient
  CHECK(to_vector(w) == Values{3, -2});
  CHECK(to_vector(total) == Values{0, 0});
  total += 1;  // no gradient is lost
  CHECK(to_vector(total) == Values{1, 1});
  Tensor y = w * 2;
  const NoGrad off;
  CHECK_THROWS_AS(y += 1, GraphError);  // an op on the tape made it
}

TEST_CASE("compound assignment: the result must fit into the left side") {
  Tensor x = zeros({2}), count = zeros({2}, DType::i64);
  CHECK_THROWS_WITH_AS(x += ones({3, 2}), "+=: shape [3, 2] does not broadcast to [2], which is changed in place", ShapeError);
  CHECK_THROWS_WITH_AS(count += ones({2}), "+=: an i64 tensor cannot hold f32 values; use cast", DTypeError);
  count += 2;
  CHECK(to_vector(count) == Values{2, 2});
}

TEST_CASE("view, clone and []: differentiable") {
  const Tensor x = tensor({1, 2, 3, 4}, DType::f64).set_requires_grad();
  const Tensor seed = tensor({{1, 10}, {100, 1000}}, DType::f64);
  CHECK(to_vector(grad({x.view({2, -1})}, {x}, {.seeds = {seed}})[0]) == Values{1, 10, 100, 1000});
  CHECK(x.view({2, 2}).shares_storage(x));
  const Tensor copy = x.clone();
  CHECK_FALSE(copy.shares_storage(x));
  CHECK(to_vector(grad({sum(copy * copy)}, {x})[0]) == Values{2, 4, 6, 8});
  CHECK(to_vector(grad({x.view({2, 2})[-1]}, {x}, {.seeds = {tensor({5, 6}, DType::f64)}})[0]) == Values{0, 0, 5, 6});
  CHECK(x[1].item() == 2);
}

TEST_CASE("handle: newer tensors have larger numbers") {
  const Tensor a = ones({1}), b = ones({1});
  CHECK(a.number() < b.number());
  CHECK(a.detach().number() > b.number());
}

TEST_CASE("detach: shares storage and versions, and stays off the tape") {
  Tensor a = tensor({1, 2, 3, 4}).set_requires_grad();
  const Tensor view = a.detach({2, 2}), detached = a.detach();
  CHECK(view.shares_storage(a));
  CHECK_FALSE(view.requires_grad());
  CHECK_FALSE(detached.requires_grad());
  const auto before = view.version();
  a.fill(0);
  CHECK(view.version() != before);
  CHECK(to_vector(view) == Values{0, 0, 0, 0});
  CHECK_THROWS_WITH_AS(a.view({3}), "reshape: cannot turn [4] (4 elements) into [3] (3 elements)", ShapeError);
}

TEST_CASE("data: the element type must be right, and writing counts as a change") {
  Tensor x = tensor({1, 2});
  CHECK(x.data<float>()[1] == 2);
  CHECK_THROWS_WITH_AS(x.data<double>(), "data: the tensor holds f32, not f64", DTypeError);
  CHECK_THROWS_AS(x.mutable_data<int64_t>(), DTypeError);
  const auto before = x.version();
  x.mutable_data<float>()[0] = 5;
  CHECK(x.version() != before);
  CHECK(x.at({0}) == 5);
}

TEST_CASE("item and at: one element, in range") {
  CHECK(tensor({{7}}).item() == 7);
  CHECK(tensor({{1, 2}, {3, 4}}).at({1, 0}) == 3);
  CHECK(tensor({0.5}, DType::f16).item() == 0.5);
  CHECK_THROWS_WITH_AS(ones({2}).item(),
                       "item: needs a tensor with one element, got shape [2]; at({i, …}) reads one of several, "
                       "to_vector(x) all",
                       ShapeError);
  CHECK_THROWS_WITH_AS(ones({2}).at({0, 0}), "at: 2 indices for shape [2]", ShapeError);
  CHECK_THROWS_WITH_AS(ones({2}).at({2}), "at: index 2 is out of range for axis 0 of shape [2]", ValueError);
  CHECK(tensor({{1, 2}, {3, 4}}).at({-1, -2}) == 3);
  CHECK_THROWS_WITH_AS(ones({2}).at({-3}), "at: index -3 is out of range for axis 0 of shape [2]", ValueError);
}

TEST_CASE("assign: refused from a source on the tape, whose gradient would be lost") {
  const Tensor x = ones({2}).set_requires_grad();
  Tensor buffer = zeros({2});
  CHECK_THROWS_AS(buffer.assign(x * 2), GraphError);
  CHECK(to_vector(buffer) == Values{0, 0});
  buffer.assign(x);  // a leaf's values
  CHECK(to_vector(buffer) == Values{1, 1});
}

TEST_CASE("fill and set: an i64 tensor refuses what it cannot hold") {
  Tensor x = zeros({2}, DType::i64);
  for (const double value : {0.5, 1e300, static_cast<double>(NAN)}) {
    CHECK_THROWS_AS(x.fill(value), DTypeError);
    CHECK_THROWS_AS(x.set({0}, value), DTypeError);
  }
  CHECK(to_vector(x) == Values{0, 0});
}

TEST_CASE("pool: a block of no bytes is one of its own") {
  void *first = pool::allocate(0), *second = pool::allocate(16);
  CHECK(first != nullptr);
  CHECK(first != second);
  pool::release(first, 0);
  pool::release(second, 16);
  CHECK_THROWS_AS(pool::allocate(SIZE_MAX - 3), MemoryError);
}

TEST_CASE("set: one element in place, counted from the end if negative") {
  Tensor x = zeros({2, 3}, DType::f16);
  const auto before = x.version();
  x.set({1, -1}, 5);
  CHECK(to_vector(x) == Values{0, 0, 0, 0, 0, 5});
  CHECK(x.version() != before);
  CHECK_THROWS_WITH_AS(x.set({2, 0}, 1), "set: index 2 is out of range for axis 0 of shape [2, 3]", ValueError);
  Tensor y = ones({1}).set_requires_grad() * 2;
  CHECK_THROWS_AS(y.set({0}, 1), GraphError);
}

TEST_CASE("fill and assign: in place, cast to the dtype of the target") {
  Tensor x = zeros({2}, DType::f16);
  x.assign(tensor({1.5, 70000}));
  CHECK(to_vector(x) == Values{1.5, INFINITY});
  Tensor ids = zeros({2}, DType::i64);
  ids.assign(tensor({1.9, -1.9}));
  CHECK(to_vector(ids) == Values{1, -1});
  ids.fill(7);
  CHECK(to_vector(ids) == Values{7, 7});
  x.assign(x);
  CHECK_THROWS_WITH_AS(x.assign(ones({3})), "assign: cannot copy shape [3] into shape [2]", ShapeError);
}

TEST_CASE("fill and assign: refused for a tensor that an op made on the tape") {
  const Tensor x = ones({2}).set_requires_grad();
  Tensor y = x * 2;
  CHECK_THROWS_WITH_AS(y.fill(0), "fill: this tensor was made by an op on the tape; change a detached copy", GraphError);
  CHECK_THROWS_AS(y.assign(x), GraphError);
  CHECK_THROWS_AS(y.set_requires_grad(), GraphError);
  CHECK(to_vector(y) == Values{2, 2});
}

TEST_CASE("set_requires_grad: floating dtypes only") {
  CHECK_THROWS_WITH_AS(arange(3).set_requires_grad(), "set_requires_grad: i64 has no gradient; use f32 or f64", DTypeError);
  CHECK(ones({1}, DType::f16).set_requires_grad().requires_grad());
  CHECK_FALSE(ones({1}).set_requires_grad().set_requires_grad(false).requires_grad());
}

TEST_CASE("shares_storage: of a tensor that is defined") { CHECK_THROWS_AS(ones({2}).shares_storage(Tensor()), GraphError); }

TEST_CASE("set_grad: the shape and the dtype must fit") {
  const Tensor x = ones({2});
  CHECK_THROWS_WITH_AS(x.set_grad(arange(2)), "set_grad: a gradient of i64 for a tensor of f32; use cast", DTypeError);
  CHECK_THROWS_WITH_AS(x.set_grad(ones({3})), "set_grad: a gradient of shape [3] for a tensor of [2]", ShapeError);
  x.set_grad(ones({2}));
  CHECK(x.grad().defined());
  x.set_grad(Tensor());
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("too large: an error, not a crash") {
  CHECK_THROWS_AS(zeros({int64_t{1} << 40, int64_t{1} << 40}), ShapeError);
  for (int64_t size : {int64_t{1} << 60, int64_t{1} << 61, int64_t{1} << 62, INT64_MAX}) CHECK_THROWS(full({size}, 1, DType::f64));
}

TEST_CASE("pool: what is freed is counted as free, and handed out again") {
  const std::size_t live = pool::live_bytes();
  for (std::size_t bytes : {1, 16, 100, 1000, 1025, 100000, 10000000}) {
    CAPTURE(bytes);
    void* block = pool::allocate(bytes);
    CHECK(pool::live_bytes() >= live + bytes);
    CHECK(pool::live_bytes() <= live + bytes + bytes / 7 + 16);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 16 == 0);
    pool::release(block, bytes);
    CHECK(pool::live_bytes() == live);
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // where every block comes from malloc
TEST_CASE("pool: a small block that is freed is the next of its size, and no larger one is") {
  void* first = pool::allocate(1000);
  pool::release(first, 1000);
  void *larger = pool::allocate(1020), *again = pool::allocate(1001);
  CHECK(larger != first);
  CHECK(again == first);
  pool::release(larger, 1020);
  pool::release(again, 1001);
}

TEST_CASE("pool: the values of a large tensor begin on a cache line") {
  for (int64_t count : {300, 1000, 50'000, 1 << 20}) {
    CHECK(reinterpret_cast<std::uintptr_t>(zeros({count}).bytes()) % 64 == 0);
  }
}
#endif

TEST_CASE("tensor: an undefined tensor is an error, not a crash") {
  const Tensor none;
  const Tensor x = ones({2});
  CHECK_THROWS_AS(none.shape(), GraphError);
  CHECK_THROWS_AS(x + none, GraphError);
  CHECK_THROWS_AS(matmul(none, x), GraphError);
  CHECK_THROWS_AS(sum(none), GraphError);
  CHECK_THROWS_AS(none.backward(), GraphError);
}
