// Broadcasting, scalars, and tensors with an axis of size 0, through all ops.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> list = {{},        {1},       {3},       {1, 3}, {2, 1}, {2, 3}, {4, 1, 1},
                                          {4, 2, 1}, {4, 1, 3}, {4, 2, 3}, {0},    {0, 3}, {2, 0}, {1, 4, 1, 3}};
  return list;
}

bool broadcast_together(const Shape& a, const Shape& b) {
  for (int axis = 1; axis <= std::min(a.rank(), b.rank()); ++axis) {
    if (a[-axis] != b[-axis] && a[-axis] != 1 && b[-axis] != 1) return false;
  }
  return true;
}

// The element of x that stands at `index` of the broadcast shape.
double broadcast_at(const Tensor& x, const Shape& index) {
  Shape own = index.slice(index.rank() - x.rank(), index.rank());
  for (int axis = 0; axis < own.rank(); ++axis) {
    if (x.size(axis) == 1) own[axis] = 0;
  }
  return x.at(own.vector());
}

Shape index_of(int64_t flat, const Shape& shape) {
  Shape index = shape;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

Tensor counting(const Shape& shape) { return reshape(arange(1, static_cast<double>(shape.numel()) + 1, 1, DType::f64), shape); }

using Unary = Tensor (*)(const Tensor&);
const std::vector<Unary>& elementwise() {
  static const std::vector<Unary> list = {neg, abs, sign, square,  rsqrt, exp,  expm1, log,   log1p,    sqrt,
                                          sin, cos, tanh, sigmoid, erf,   relu, isnan, isinf, isfinite, logical_not};
  return list;
}

}  // namespace

TEST_CASE("broadcasting: every pair of shapes, value and gradient") {
  for (const Shape& a_shape : shapes()) {
    for (const Shape& b_shape : shapes()) {
      if (!broadcast_together(a_shape, b_shape)) continue;
      CAPTURE(a_shape);
      CAPTURE(b_shape);
      const Tensor a = counting(a_shape).set_requires_grad(), b = (counting(b_shape) * 10).set_requires_grad();
      const Tensor y = a * b + maximum(a, b);
      Values values;
      for (int64_t i = 0; i < y.numel(); ++i) {
        const Shape index = index_of(i, y.shape());
        const double u = broadcast_at(a, index), v = broadcast_at(b, index);
        values.push_back(u * v + std::max(u, v));
      }
      CHECK(to_vector(y) == values);
      const Tensors found = grad({sum(a * b)}, {a, b});
      CHECK(difference(found[0], sum_to(expand(b.detach(), y.shape()), a_shape), 1e-14) == "");
      CHECK(difference(found[1], sum_to(expand(a.detach(), y.shape()), b_shape), 1e-14) == "");
    }
  }
}

TEST_CASE("broadcasting: a NaN is not spread by a gradient that is summed back") {
  const Tensor a = tensor({{1}, {2}}).set_requires_grad(), b = tensor({{1, 2, 3}}).set_requires_grad();
  sum(a * b).backward();
  CHECK(to_vector(a.grad()) == Values{6, 6});
  CHECK(to_vector(b.grad()) == Values{3, 3, 3});
}

TEST_CASE("where: mask, a and b broadcast against each other") {
  const Tensor mask = tensor({{1}, {0}}, DType::i64);
  CHECK(to_vector(where(mask, tensor({1, 2, 3}), tensor(9))) == Values{1, 2, 3, 9, 9, 9});
}

TEST_CASE("scalars: elementwise ops and reductions keep shape []") {
  const Tensor x = tensor(0.5).set_requires_grad();
  for (Unary op : elementwise()) CHECK(op(x).shape() == Shape{});
  for (const Tensor& y : {sum(x), mean(x), prod(x), max(x), min(x), logsumexp(x), x + 1, x * x, maximum(x, x)}) {
    CHECK(y.shape() == Shape{});
    CHECK(grad({y}, {x}, {.retain_graph = true})[0].shape() == Shape{});
  }
  CHECK(flatten(x).shape() == Shape{1});
  CHECK(unsqueeze(x, 0).shape() == Shape{1});
  CHECK(permute(x, {}).shape() == Shape{});
}

TEST_CASE("empty tensors: elementwise ops give empty tensors") {
  for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{2, 0, 3}}) {
    CAPTURE(shape);
    const Tensor x = zeros(shape).set_requires_grad();
    for (Unary op : elementwise()) CHECK(op(x).shape() == shape);
    for (const Tensor& y : {x + x, x * 2, x / x, pow(x, 2), maximum(x, x), clamp(x, 0, 1), where(x > 0, x, x)}) {
      CHECK(y.shape() == shape);
      CHECK(grad({sum(y)}, {x})[0].shape() == shape);
    }
  }
}

TEST_CASE("empty tensors: sums over nothing are 0, products 1, means NaN") {
  const Tensor x = zeros({0, 3}).set_requires_grad();
  CHECK(sum(x).item() == 0);
  CHECK(to_vector(sum(x, 0)) == Values{0, 0, 0});
  CHECK(sum(x, 1).shape() == Shape{0});
  CHECK(sum(zeros({3, 0}), 0).shape() == Shape{0});
  CHECK(to_vector(prod(x, 0)) == Values{1, 1, 1});
  CHECK(std::isnan(mean(x).item()));
  CHECK(cumsum(x, 0).shape() == Shape{0, 3});
  CHECK(max(x, 1).shape() == Shape{0});
  CHECK(logsumexp(x, 1).shape() == Shape{0});
  CHECK(argmax(x, 1).shape() == Shape{0});
  CHECK(grad({sum(x)}, {x})[0].shape() == Shape{0, 3});
  CHECK(grad({sum(cumsum(x, 1))}, {x})[0].shape() == Shape{0, 3});
}

TEST_CASE("empty tensors: layout ops") {
  const Tensor x = zeros({0, 3}).set_requires_grad();
  CHECK(transpose(x).shape() == Shape{3, 0});
  CHECK(reshape(x, {3, 0}).shape() == Shape{3, 0});
  CHECK(flatten(x).shape() == Shape{0});
  CHECK(cat({x, ones({2, 3})}, 0).shape() == Shape{2, 3});
  CHECK(stack({x, x}).shape() == Shape{2, 0, 3});
  CHECK(slice(x, 1, 1).shape() == Shape{0, 2});
  CHECK(slice(ones({4}), 0, 3, 1).shape() == Shape{0});
  CHECK(slice(ones({4}), 0, 9).shape() == Shape{0});
  CHECK(flip(x, {0, 1}).shape() == Shape{0, 3});
  CHECK(roll(x, 1, 0).shape() == Shape{0, 3});
  CHECK(to_vector(pad(x, {{1, 0}, {0, 0}}, 7)) == Values{7, 7, 7});
  CHECK(expand(zeros({1}), {0}).shape() == Shape{0});
  CHECK(split(x, 2, 0).size() == 1);
  CHECK(cat(split(x, 2, 0), 0).shape() == Shape{0, 3});
  CHECK(chunk(x, 4, 0).size() == 1);
  CHECK(tril(zeros({0, 0})).shape() == Shape{0, 0});
  for (const Tensor& y : {transpose(x), cat({x, x}, 0), flip(x, 1), pad(x, {{1, 1}, {0, 0}}), slice(x, 1, 1)}) {
    CHECK(grad({sum(y)}, {x})[0].shape() == Shape{0, 3});
  }
}

TEST_CASE("pad: with 1 and with -1") {
  CHECK(to_vector(pad(tensor({5}), {{1, 2}}, 1)) == Values{1, 5, 1, 1});
  CHECK(to_vector(pad(tensor({5}), {{1, 2}}, -1)) == Values{-1, 5, -1, -1});
}

TEST_CASE("tril, triu: of one element") {
  const Tensor one = ones({1, 1});
  CHECK(tril(one).item() == 1);
  CHECK(tril(one, -1).item() == 0);
  CHECK(triu(one, 1).item() == 0);
}

TEST_CASE("matmul: a batch of matrices, each transposed, times one matrix") {
  const Tensor a = reshape(arange(24), {2, 3, 4}), b = reshape(arange(15), {3, 5});
  const Tensor x = cast(a, DType::f64), y = cast(b, DType::f64), all = matmul(x, y, {.transpose_a = true});
  CHECK(all.shape() == Shape{2, 4, 5});
  for (int64_t i = 0; i < 2; ++i) CHECK(equal(select(all, 0, i), matmul(permute(select(x, 0, i), {1, 0}), y)));
}

TEST_CASE("empty tensors: matmul and indexing") {
  const Tensor a = zeros({2, 0}).set_requires_grad(), b = zeros({0, 3}).set_requires_grad();
  CHECK(to_vector(matmul(a, b)) == Values(6, 0));
  CHECK(matmul(zeros({0, 2, 3}), zeros({0, 3, 4})).shape() == Shape{0, 2, 4});
  CHECK(matmul(zeros({0, 2, 3}), zeros({3, 4})).shape() == Shape{0, 2, 4});
  CHECK(matmul(b, transpose(zeros({0, 3}))).shape() == Shape{0, 0});
  const Tensors found = grad({sum(matmul(a, b))}, {a, b});
  CHECK(found[0].shape() == Shape{2, 0});
  CHECK(found[1].shape() == Shape{0, 3});
  const Tensor none = zeros({0}, DType::i64), x = ones({4, 2}).set_requires_grad();
  CHECK(index_select(x, 0, none).shape() == Shape{0, 2});
  CHECK(to_vector(grad({sum(index_select(x, 0, none))}, {x})[0]) == Values(8, 0));
  CHECK(gather(x, 0, zeros({0, 2}, DType::i64)).shape() == Shape{0, 2});
  CHECK(one_hot(none, 3).shape() == Shape{0, 3});
  CHECK(argsort(zeros({0})).shape() == Shape{0});
  CHECK(topk(ones({3}), 0).values.shape() == Shape{0});
}

TEST_CASE("large tensors: threads and vectors leave no element out") {
  for (int64_t n : {1, 15, 16, 17, 4095, 4097, 70001}) {
    CAPTURE(n);
    const Tensor x = arange(0, static_cast<double>(n), 1, DType::f64);
    const double total = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
    CHECK(sum(x).item() == total);
    CHECK(sum(x + 1).item() == total + static_cast<double>(n));
    CHECK(max(x).item() == static_cast<double>(n - 1));
    CHECK(min(flip(x, 0)).item() == 0);
    CHECK(cumsum(x, 0).at({n - 1}) == total);
    CHECK(sum(where(x < 5, x, scalar_like(x, 0))).item() == (n >= 5 ? 10 : total));
    CHECK(difference(exp(log(x + 1)), x + 1, 1e-14) == "");
    CHECK(equal(permute(reshape(stack({x, -x}), {2, n}), {1, 0}), cat({unsqueeze(x, 1), unsqueeze(-x, 1)}, 1)));
  }
}

TEST_CASE("rows: a range-based for goes along the first axis, on the tape") {
  const Tensor x = tensor({{1, 2}, {3, 4}}).set_requires_grad();
  Tensor total = zeros({2});
  for (const Tensor row : x) total = total + row * row;
  CHECK(to_vector(total) == Values{10, 20});
  sum(total).backward();
  CHECK(to_vector(x.grad()) == Values{2, 4, 6, 8});
}

// Transposes go by tiles of 16 × 16: below, at and above their edge, and with axes beside the two that change places.
TEST_CASE("permute: every order of three axes, of sizes around a tile, in every element size") {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const Shape& shape : {Shape{1, 16, 17}, {3, 15, 33}, {17, 2, 18}, {31, 33, 1}, {16, 3, 2}, {2, 129, 140}}) {
    for (const DType dtype : {DType::f16, DType::f32, DType::i64}) {
      const Tensor x = reshape(randint(0, 2048, {shape.numel()}), shape);  // exact in f16
      for (const auto& order : orders) {
        CAPTURE(shape);
        CAPTURE(order);
        const Tensor y = permute(cast(x, dtype), order);
        const auto axis = [&](int i) { return static_cast<std::size_t>(order[static_cast<std::size_t>(i)]); };
        const Strides from = strides_of(shape);
        const std::vector<double> values = to_vector(x), moved = to_vector(y);
        std::size_t next = 0, wrong = 0;
        for (int64_t i = 0; i < y.size(0); ++i) {
          for (int64_t j = 0; j < y.size(1); ++j) {
            for (int64_t k = 0; k < y.size(2); ++k) {
              const int64_t at = i * from[axis(0)] + j * from[axis(1)] + k * from[axis(2)];
              wrong += moved[next++] != values[static_cast<std::size_t>(at)];
            }
          }
        }
        REQUIRE(wrong == 0);
      }
    }
  }
}

TEST_CASE("permute: the first axis last, others before that which was last, which are walked one by one") {
  const int64_t a = 18, b = 2, c = 3, d = 17, e = 4;
  const Tensor x = reshape(cast(arange(a * b * c * d * e), DType::f32), {a, b, c, e, d});
  const Tensor y = permute(x, {3, 2, 1, 4, 0});  // from five axes
  const Tensor z = permute(reshape(x, {a, b, c * e, d}), {2, 1, 3, 0});
  int64_t wrong = 0;
  for (int64_t number = 0; number < x.numel(); ++number) {  // x holds its own positions
    const int64_t l = number % d, k = number / d % e, j = number / (d * e) % c;
    const int64_t i = number / (d * e * c) % b, h = number / (d * e * c * b);
    wrong += y.at({k, j, i, l, h}) != static_cast<double>(number);
    wrong += z.at({j * e + k, i, l, h}) != static_cast<double>(number);
  }
  CHECK(wrong == 0);
}
