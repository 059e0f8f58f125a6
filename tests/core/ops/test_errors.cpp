// What every op says to a wrong shape, dtype, axis or id: the op, what came, what was expected.
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("elementwise ops: shapes that do not broadcast") {
  const Tensor a = ones({2, 3}), b = ones({4});
  CHECK_THROWS_WITH_AS(a + b,
                       "add: shapes [2, 3] and [4] do not broadcast: 3 against 4 (sizes must be equal or 1, "
                       "matched from the last axis)",
                       ShapeError);
  const std::pair<Tensor (*)(const Tensor&, const Tensor&), const char*> named[] = {
      {sub, "sub"}, {maximum, "maximum"}, {minimum, "minimum"}, {lt, "lt"}, {le, "le"}, {gt, "gt"}, {ge, "ge"}};
  for (const auto& [op, name] : named) {
    const std::string message =
        fmt::format("{}: shapes [2, 3] and [4] do not broadcast: 3 against 4 (sizes must be equal or 1, matched from the last axis)", name);
    CHECK_THROWS_WITH_AS(op(a, b), message.c_str(), ShapeError);
  }
  CHECK_THROWS_AS(a * b, ShapeError);
  CHECK_THROWS_AS(a / b, ShapeError);
  CHECK_THROWS_AS(pow(a, b), ShapeError);
  CHECK_THROWS_AS(where(a > 0, a, b), ShapeError);
  CHECK_THROWS_AS(where(b > 0, a, a), ShapeError);
}

TEST_CASE("elementwise ops: floating dtypes do not mix") {
  const Tensor a = ones({2}), b = ones({2}, DType::f64);
  CHECK_THROWS_WITH_AS(a * b, "mul: dtypes differ: f32 and f64; cast one of them", DTypeError);
  CHECK_THROWS_WITH_AS(where(a > 0, a, b), "where: dtypes differ: f32 and f64; cast one of them", DTypeError);
  CHECK_THROWS_WITH_AS(where(a, a, a), "where: the mask must be i64, got f32", DTypeError);
}

TEST_CASE("elementary functions: integers have none") {
  const Tensor x = ids({1, 2});
  CHECK_THROWS_WITH_AS(exp(x), "exp: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
  for (auto op : {expm1, log, log1p, sqrt, sin, cos, tanh, sigmoid, erf}) CHECK_THROWS_AS(op(x), DTypeError);
  CHECK_THROWS_WITH_AS(x / x, "div: needs a floating dtype, got i64 and i64; use cast(x, DType::f32) first", DTypeError);
  CHECK_THROWS_AS(pow(x, x), DTypeError);
  CHECK_THROWS_WITH_AS(x * 0.5, "mul: an i64 tensor cannot hold 0.5; take a floating dtype, for a tensor by cast(x, DType::f32)",
                       DTypeError);
}

TEST_CASE("clamp: the ends must be in order") {
  CHECK_THROWS_WITH_AS(clamp(ones({2}), 1, -1), "clamp: needs low <= high, got 1 and -1", ValueError);
}

TEST_CASE("expand and sum_to: only where shapes broadcast") {
  CHECK_THROWS_WITH_AS(expand(ones({2, 3}), {3, 3}), "expand: shape [2, 3] does not broadcast to [3, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(sum_to(ones({3, 3}), {2, 3}), "sum_to: shape [2, 3] does not broadcast to [3, 3]", ShapeError);
  CHECK_THROWS_AS(expand(ones({2, 3}), {3}), ShapeError);
}

TEST_CASE("reductions: axes out of range, repeated, or over nothing") {
  const Tensor x = ones({2, 3}), none = ones({0, 3});
  CHECK_THROWS_WITH_AS(sum(x, 2), "sum: axis 2 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_WITH_AS(sum(x, -3), "sum: axis -3 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_WITH_AS(sum(x, {1, -1}), "sum: axis 1 is given twice", ShapeError);
  CHECK_THROWS_WITH_AS(max(none), "max: cannot reduce zero elements (x has shape [0, 3])", ShapeError);
  CHECK_THROWS_WITH_AS(argmax(none, 0), "argmax: cannot reduce zero elements (x has shape [0, 3])", ShapeError);
  CHECK_THROWS_WITH_AS(min(none), "min: cannot reduce zero elements (x has shape [0, 3])", ShapeError);
  CHECK_THROWS_WITH_AS(argmin(x, 2), "argmin: axis 2 is out of range for a tensor of 2 axes", ShapeError);
  for (auto op : {mean, prod}) CHECK_THROWS_AS(op(x, 5, false), ShapeError);
  CHECK_THROWS_AS(cumsum(x, 2), ShapeError);
}

TEST_CASE("matmul: inner sizes, ranks, batches and dtypes must fit") {
  const Tensor a = ones({2, 3}), b = ones({4, 5});
  CHECK_THROWS_WITH_AS(matmul(a, b), "matmul: inner dimensions differ: [2, 3] @ [4, 5] (3 against 4)", ShapeError);
  CHECK_THROWS_WITH_AS(matmul(a, b, {.transpose_b = true}), "matmul: inner dimensions differ: [2, 3] @ [4, 5]ᵀ (3 against 5)", ShapeError);
  CHECK_THROWS_WITH_AS(matmul(a, tensor(1)), "matmul: needs vectors or matrices, got shapes [2, 3] and []", ShapeError);
  CHECK_THROWS_AS(matmul(ones({2, 3, 4}), ones({3, 4, 5})), ShapeError);
  CHECK_THROWS_WITH_AS(matmul(ones({3}), ones({4})), "matmul: inner dimensions differ: [3] @ [4] (3 against 4)", ShapeError);
  CHECK_THROWS_WITH_AS(matmul(ones({2, 5, 3}), ones({4, 2})), "matmul: inner dimensions differ: [2, 5, 3] @ [4, 2] (3 against 4)",
                       ShapeError);
  CHECK_THROWS_WITH_AS(matmul(a, ones({3, 2}, DType::f64)), "matmul: dtypes differ: f32 and f64; cast one of them", DTypeError);
  CHECK_THROWS_WITH_AS(matmul(ids({{1}}), ids({{1}})), "matmul: needs a floating dtype, got i64; use cast(x, DType::f32) first",
                       DTypeError);
  CHECK_THROWS_WITH_AS(dot(a, b), "dot: needs two vectors, got shapes [2, 3] and [4, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(outer(a, b), "outer: needs two vectors, got shapes [2, 3] and [4, 5]", ShapeError);
}

TEST_CASE("reshape: the elements must fit") {
  const Tensor x = ones({2, 3});
  CHECK_THROWS_WITH_AS(reshape(x, Shape{4}), "reshape: cannot turn [2, 3] (6 elements) into [4] (4 elements)", ShapeError);
  CHECK_THROWS_WITH_AS(reshape(x, {-1, 4}), "reshape: cannot infer -1: 6 elements (shape [2, 3]) are not divisible by 4", ShapeError);
  CHECK_THROWS_WITH_AS(reshape(x, {-1, -1}), "reshape: only one size may be -1", ShapeError);
  CHECK_THROWS_AS(reshape(x, {-2, -3}), ShapeError);
  CHECK_THROWS_AS(reshape(zeros({0}), {0, -1}), ShapeError);
}

TEST_CASE("permute, transpose, squeeze, unsqueeze, flatten: wrong axes") {
  const Tensor x = ones({2, 3});
  CHECK_THROWS_WITH_AS(permute(x, {0, 0}), "permute: the order must name each of the 2 axes of [2, 3] once", ShapeError);
  CHECK_THROWS_AS(permute(x, {0}), ShapeError);
  CHECK_THROWS_WITH_AS(permute(x, {0, 2}), "permute: axis 2 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_AS(transpose(ones({3})), ShapeError);
  CHECK_THROWS_WITH_AS(squeeze(x, 0), "squeeze: axis 0 of shape [2, 3] has size 2, expected 1", ShapeError);
  CHECK_THROWS_WITH_AS(unsqueeze(x, 4), "unsqueeze: axis 4 is out of range for inserting an axis into [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(flatten(x, 1, 0), "flatten: axis 1 comes after axis 0", ShapeError);
  CHECK_THROWS_WITH_AS(unsqueeze(ones({1, 1, 1, 1, 1, 1}), 0), "unsqueeze: 7 axes, but a tensor has at most 6", ShapeError);
}

TEST_CASE("cat, stack, split, chunk: pieces that do not fit") {
  const Tensor x = ones({2, 3});
  CHECK_THROWS_WITH_AS(cat({}, 0), "cat: nothing to join", ValueError);
  CHECK_THROWS_AS(stack({}), ValueError);
  CHECK_THROWS_WITH_AS(cat({x, ones({2, 4})}, 0), "cat: shape [2, 4] does not join [2, 3] along axis 0", ShapeError);
  CHECK_THROWS_AS(cat({x, ones({3})}, 0), ShapeError);
  CHECK_THROWS_WITH_AS(cat({x, ones({2, 3}, DType::f64)}, 0), "cat: dtypes differ: f32 and f64; cast one of them", DTypeError);
  CHECK_THROWS_AS(cat({tensor(1), tensor(2)}, 0), ShapeError);
  CHECK_THROWS_WITH_AS(split(x, {1, 3}, 1), "split: the sizes sum to 4, but axis 1 of [2, 3] has 3", ShapeError);
  CHECK_THROWS_WITH_AS(split(x, {4, -1}, 1), "split: a size must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(split(x, {1, 1}, 3), "split: axis 3 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_WITH_AS(split(x, 0), "split: the size must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(chunk(x, -1), "chunk: the count must be positive, got -1", ValueError);
}

TEST_CASE("slice, select, pad, flip, roll: positions and axes") {
  const Tensor x = ones({2, 3});
  CHECK_THROWS_WITH_AS(slice(x, 0, 0, 2, -1), "slice: the step must be positive, got -1; use flip to go backwards", ValueError);
  CHECK_THROWS_AS(slice(x, 2, 0), ShapeError);
  CHECK_THROWS_WITH_AS(select(x, 1, 3), "select: index 3 is out of range for axis 1 of [2, 3]", ValueError);
  CHECK_THROWS_AS(select(x, 1, -4), ValueError);
  CHECK_THROWS_WITH_AS(pad(x, {{1, 1}}), "pad: 1 pairs for the 2 axes of [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(pad(x, {{0, 0}, {0, -1}}), "pad: the padding 0, -1 of axis 1 must not be negative; use slice", ValueError);
  CHECK_THROWS_AS(flip(x, 2), ShapeError);
  CHECK_THROWS_WITH_AS(roll(x, 1, 2), "roll: axis 2 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_WITH_AS(tril(ones({3})), "tril: needs a matrix, got shape [3]", ShapeError);
}

TEST_CASE("pad, cat, split, expand, arange, linspace: sizes beyond 64 bits, or any memory") {
  constexpr int64_t most = INT64_MAX;
  CHECK_THROWS_WITH_AS(pad(ones({2}), {{most, most}}), "pad: a size of 9223372036854775807 + 9223372036854775807 does not fit in 64 bits",
                       ShapeError);
  CHECK_THROWS_AS(pad(ones({2}), {{most - 2, 3}}), ShapeError);
  CHECK_THROWS_AS(pad(ones({2}), {{1, most - 3}}), ShapeError);  // fits in 64 bits, but in no memory
  const Tensor none = zeros({int64_t{1} << 47, 0});
  CHECK(cat({none, none}, 0).shape() == Shape{int64_t{1} << 48, 0});
  CHECK_THROWS_WITH_AS(cat({none, none, none}, 0), "cat: shape [422212465065984, 0] is larger than any memory", ShapeError);
  CHECK_THROWS_AS(stack({zeros({most}, DType::i64)}), ShapeError);
  CHECK_THROWS_AS(split(zeros({0}), {most, most, 2}, 0), ShapeError);
  CHECK_THROWS_AS(zeros({0, most, most}), ShapeError);  // its strides
  CHECK_THROWS_AS(expand(ones({1}), {most, 2}), ShapeError);
  CHECK_THROWS_AS(linspace(0, 1, int64_t{1} << 60), ShapeError);
  CHECK_THROWS_AS(arange(int64_t{1} << 60), ValueError);
  CHECK_THROWS_AS(arange(INT64_MIN, most), ValueError);
  CHECK(chunk(ones({3}), most).size() == 3);
  CHECK(to_vector(slice(ones({3, 3}), 0, 1, kToEnd, most)) == Values{1, 1, 1});
}

TEST_CASE("indexing: ids must be i64, in range, and of a fitting shape") {
  const Tensor x = ones({2, 3});
  CHECK_THROWS_WITH_AS(index_select(x, 0, ids({2})), "index_select: id 2 is out of range; expected 0 … 1", ValueError);
  CHECK_THROWS_AS(index_select(x, 0, ids({-1})), ValueError);
  CHECK_THROWS_WITH_AS(index_select(x, 0, ones({1})), "index_select: indices must be i64, got f32; use cast(indices, DType::i64)",
                       DTypeError);
  CHECK_THROWS_WITH_AS(index_select(x, 0, ids({{0}})), "index_select: indices must be a vector, got shape [1, 1]", ShapeError);
  CHECK_THROWS_WITH_AS(gather(x, 1, ids({0})), "gather: x [2, 3] and indices [1] must have the same number of axes", ShapeError);
  CHECK_THROWS_WITH_AS(gather(x, 1, ids({{0}, {0}, {0}})), "gather: indices [3, 1] are longer than x [2, 3] along axis 0", ShapeError);
  CHECK_THROWS_AS(gather(x, 1, ids({{3}})), ValueError);
  CHECK_THROWS_WITH_AS(scatter_add(x, 1, ids({{0}}), ones({1, 2})), "scatter_add: values of shape [1, 2] for indices of [1, 1]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(scatter_add(x, 1, ids({0}), ones({1})), "scatter_add: x [2, 3] and indices [1] must have the same number of axes",
                       ShapeError);
  CHECK_THROWS_AS(scatter_add(x, 1, ids({{9}}), ones({1, 1})), ValueError);
  CHECK_THROWS_WITH_AS(index_add(x, 0, ids({0}), ones({2, 3})), "index_add: values of shape [2, 3], expected [1, 3]", ShapeError);
  CHECK_THROWS_AS(index_add(x, 0, ids({5}), ones({1, 3})), ValueError);
  CHECK_THROWS_AS(take(x, ids({6})), ValueError);
  CHECK_THROWS_WITH_AS(one_hot(ids({3}), 3), "one_hot: id 3 is out of range; expected 0 … 2", ValueError);
  CHECK_THROWS_WITH_AS(topk(x, 4), "topk: k = 4, but axis 1 of [2, 3] has 3 elements", ValueError);
  CHECK_THROWS_AS(argsort(x, 2), ShapeError);
}

TEST_CASE("an error leaves no trace: tensors and tape are as before") {
  const Tensor x = ones({2, 3}).set_requires_grad();
  const Tensor y = x * 2;
  CHECK_THROWS_AS(y + ones({5}), ShapeError);
  sum(y).backward();
  CHECK(to_vector(x.grad()) == Values(6, 2));
}
