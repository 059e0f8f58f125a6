// Bad calls of select.cpp, reduce.cpp and matmul.cpp.
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using OverAxis = std::function<void(const Tensor&, int)>;
using OverAxes = std::function<void(const Tensor&, const Axes&)>;

BadCalls axis_rows(const std::string& op, const OverAxis& f) {
  const Tensor x = ones({2, 3});
  return {undefined_row(op, "x", [=] { f(Tensor(), 0); }),
          by(op, keeping({x}, {REFUSED(shape, f(x, 2), "axis 2 is out of range for a tensor of 2 axes"),
                               REFUSED(shape, f(x, -3), "axis -3 is out of range for a tensor of 2 axes"),
                               REFUSED(shape, f(x, INT32_MIN), "axis -2147483648 is out of range"),
                               REFUSED(shape, f(tensor(1), 0), "axis 0 is out of range for a tensor of 0 axes")}))};
}

// An empty list is all axes.
BadCalls axes_rows(const std::string& op, const OverAxes& f) {
  const Tensor x = ones({2, 3});
  return {
      axis_rows(op, f), undefined_row(op, "x", [=] { f(Tensor(), {}); }),
      by(op, keeping({x}, {REFUSED(shape, f(x, {0, -2}), "axis 0 is given twice"), REFUSED(shape, f(x, {1, 1}), "axis 1 is given twice"),
                           REFUSED(shape, f(x, {0, 5}), "axis 5 is out of range")}))};
}

}  // namespace

BadCalls gradus::test::select_rows() {
  const Tensor x = ones({2, 3}), mask = ids({{1, 0, 1}, {0, 0, 1}}), precise = ones({2, 3}, DType::f64), other = ones({4});
  const Tensor whole = ids({{1, 2, 3}, {4, 5, 6}});
  return keeping({x, mask, other, whole},
                 {
                     undefined_rows("where", {"mask", "a", "b"}, {mask, x, x}, [](const Tensors& t) { where(t[0], t[1], t[2]); }),
                     undefined_rows("masked_fill", {"x", "mask"}, {x, mask}, [](const Tensors& t) { masked_fill(t[0], t[1], 0); }),
                     REFUSED(dtype, where(x, x, x), "where: the mask must be i64, got f32"),
                     REFUSED(dtype, where(mask, x, precise), "where: dtypes differ: f32 and f64"),
                     REFUSED(shape, where(mask, x, other), "where: shapes [2, 3] and [4] do not broadcast"),
                     REFUSED(shape, where(ids({1, 0, 1, 0}), x, x), "where: shapes [4] and [2, 3] do not broadcast"),
                     REFUSED(dtype, masked_fill(x, x, 0), "masked_fill: the mask must be i64, got f32"),
                     REFUSED(shape, masked_fill(x, ids({1, 0, 1, 0}), 0), "masked_fill: shapes [4] and [2, 3] do not broadcast"),
                     REFUSED(dtype, masked_fill(whole, mask, 0.5), "masked_fill: an i64 tensor cannot hold 0.5"),
                     REFUSED(dtype, masked_fill(whole, mask, kNaN), "masked_fill: an i64 tensor cannot hold nan"),
                     REFUSED(shape, tril(other), "tril: needs a matrix, got shape [4]"),
                     REFUSED(shape, triu(tensor(1)), "triu: needs a matrix, got shape []"),
                 });
}

BadCalls gradus::test::reduce_rows() {
#define OVER(call)                                         \
  {                                                        \
    #call, [](const Tensor& x, const auto& axes) { call; } \
  }
  const std::vector<std::pair<std::string, OverAxes>> over_axes{
      OVER(sum(x, axes)), OVER(mean(x, axes)), OVER(var(x, axes)),       OVER(stddev(x, axes)),  OVER(prod(x, axes)),
      OVER(max(x, axes)), OVER(min(x, axes)),  OVER(logsumexp(x, axes)), OVER(squeeze(x, axes)), OVER(flip(x, axes))};
  const std::vector<std::pair<std::string, OverAxis>> over_axis{OVER(argmax(x, axes)),
                                                                OVER(argmin(x, axes)),
                                                                OVER(cumsum(x, axes)),
                                                                OVER(argsort(x, axes)),
                                                                OVER(sort(x, axes)),
                                                                OVER(topk(x, 1, axes)),
                                                                OVER(split(x, 1, axes)),
                                                                OVER(split(x, std::vector<int64_t>{1, 1}, axes)),
                                                                OVER(chunk(x, 1, axes)),
                                                                OVER(slice(x, axes, 0, 1)),
                                                                OVER(select(x, axes, 0)),
                                                                OVER(roll(x, 1, axes)),
                                                                OVER(gather(x, axes, ids({{0}}))),
                                                                OVER(index_select(x, axes, ids({0}))),
                                                                OVER(scatter_add(x, axes, ids({{0}}), ones({1, 1}))),
                                                                OVER(index_add(x, axes, ids({0}), ones({1, 3}))),
                                                                OVER(transpose(x, axes, 0))};
#undef OVER
  BadCalls rows;
  for (const auto& [call, f] : over_axes) rows += axes_rows(op_of(call), f);
  for (const auto& [call, f] : over_axis) rows += axis_rows(op_of(call), f);
  for (const Tensor& none : {zeros({0}), zeros({0, 3})}) {
    const std::string said = fmt::format("cannot reduce zero elements (x has shape {})", none.shape());
    rows += {by("max", {REFUSED(shape, max(none), said)}), by("argmax", {REFUSED(shape, argmax(none, 0), said)}),
             by("min", {REFUSED(shape, min(none), said)}), by("argmin", {REFUSED(shape, argmin(none, 0), said)})};
  }
  const Tensor x = ones({2, 3}), whole = ids({1, 2});
  rows += keeping({x, whole}, {
                                  REFUSED(shape, sum_to(x, {2}), "sum_to: shape [2] does not broadcast to [2, 3]"),
                                  REFUSED(shape, sum_to(x, {4, 2, 3}), "sum_to: shape [4, 2, 3] does not broadcast"),
                                  REFUSED(dtype, logsumexp(whole), "logsumexp: needs a floating dtype, got i64"),
                                  REFUSED(value, var(x, {}, kNaN), "var: the correction must be finite, got nan"),
                                  REFUSED(value, var(whole, {}, kInfinity), "var: the correction must be finite, got inf"),
                                  REFUSED(value, stddev(x, 0, -kInfinity), "stddev: the correction must be finite, got -inf"),
                                  REFUSED(value, stddev(whole, {}, kNaN), "stddev: the correction must be finite, got nan"),
                              });
  return rows;
}

BadCalls gradus::test::matmul_rows() {
  const Tensor a = ones({2, 3}), b = ones({4, 5}), v = ones({3}), precise = ones({3, 2}, DType::f64);
  const Tensor whole = ids({{1, 2}, {3, 4}}), counts = ids({1, 2, 3});
  return keeping(
      {a, b, v, precise, whole, counts},
      {
          undefined_rows("matmul", {"a", "b"}, {a, a}, [](const Tensors& t) { matmul(t[0], t[1]); }),
          undefined_rows("dot", {"a", "b"}, {v, v}, [](const Tensors& t) { dot(t[0], t[1]); }),
          undefined_rows("outer", {"a", "b"}, {v, v}, [](const Tensors& t) { outer(t[0], t[1]); }),
          REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ: [2, 3] @ [4, 5] (3 against 4)"),
          REFUSED(shape, matmul(a, b, {.transpose_a = true}), "matmul: inner dimensions differ: [2, 3]ᵀ @ [4, 5] (2 against 4)"),
          REFUSED(shape, matmul(a, b, {.transpose_b = true}), "matmul: inner dimensions differ: [2, 3] @ [4, 5]ᵀ (3 against 5)"),
          REFUSED(shape, matmul(v, b), "matmul: inner dimensions differ: [3] @ [4, 5]"),
          REFUSED(shape, matmul(b, v), "matmul: inner dimensions differ: [4, 5] @ [3]"),
          REFUSED(shape, matmul(tensor(1), a), "matmul: needs vectors or matrices, got shapes [] and [2, 3]"),
          REFUSED(shape, matmul(a, tensor(1)), "matmul: needs vectors or matrices, got shapes [2, 3] and []"),
          REFUSED(shape, matmul(ones({2, 3, 4}), ones({3, 4, 5})),
                  "matmul: the axes before the last two do not broadcast: [2, 3, 4] @ [3, 4, 5] (2 against 3; sizes must be equal or 1)"),
          REFUSED(dtype, matmul(a, precise), "matmul: dtypes differ: f32 and f64"),
          REFUSED(dtype, matmul(whole, whole), "matmul: needs a floating dtype, got i64"),
          REFUSED(shape, dot(v, ones({4})), "dot: the lengths differ: [3] and [4]"),
          REFUSED(shape, dot(ones({1}), v), "dot: the lengths differ: [1] and [3]"),
          REFUSED(shape, dot(a, v), "dot: needs two vectors, got shapes [2, 3] and [3]"),
          REFUSED(dtype, dot(v, ones({3}, DType::f64)), "dot: dtypes differ: f32 and f64"),
          REFUSED(dtype, dot(counts, counts), "dot: needs a floating dtype, got i64 and i64"),
          REFUSED(shape, outer(a, v), "outer: needs two vectors, got shapes [2, 3] and [3]"),
          REFUSED(dtype, outer(v, ones({3}, DType::f64)), "outer: dtypes differ: f32 and f64"),
          REFUSED(shape, outer(tensor(1), v), "outer: needs two vectors, got shapes [] and [3]"),
      });
}
