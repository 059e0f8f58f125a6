// Bad calls of select.cpp, reduce.cpp and matmul.cpp.
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Reduction = std::function<void(const Tensor&, const Axes&)>;

// Rows for a function of a tensor and axes, all of them for an empty list.
BadCalls axes_rows(const std::string& op, const Reduction& f) {
  const Tensor x = ones({2, 3});
  return {
      undefined_row(op, "x", [=] { f(Tensor(), {}); }),
      undefined_row(op, "x", [=] { f(Tensor(), 0); }),
      {op + "(x, 2)", [=] { f(x, 2); }, Raises::shape, op + ": axis 2 is out of range for a tensor of 2 axes", {x}},
      {op + "(x, -3)", [=] { f(x, -3); }, Raises::shape, op + ": axis -3 is out of range for a tensor of 2 axes", {x}},
      {op + "(x, INT_MIN)", [=] { f(x, INT32_MIN); }, Raises::shape, op + ": axis -2147483648 is out of range", {x}},
      {op + "(number, 0)", [=] { f(tensor(1), 0); }, Raises::shape, op + ": axis 0 is out of range for a tensor of 0 axes"},
  };
}

BadCalls axes_twice_rows(const std::string& op, const Reduction& f) {
  const Tensor x = ones({2, 3});
  return {
      {op + "(x, {0, -2})", [=] { f(x, {0, -2}); }, Raises::shape, op + ": axis 0 is given twice", {x}},
      {op + "(x, {1, 1})", [=] { f(x, {1, 1}); }, Raises::shape, op + ": axis 1 is given twice", {x}},
      {op + "(x, {0, 5})", [=] { f(x, {0, 5}); }, Raises::shape, op + ": axis 5 is out of range", {x}},
  };
}

}  // namespace

BadCalls gradus::test::select_rows() {
  const Tensor x = ones({2, 3}), mask = ids({{1, 0, 1}, {0, 0, 1}}), precise = ones({2, 3}, DType::f64), other = ones({4});
  const Tensor whole = ids({{1, 2, 3}, {4, 5, 6}});
  return {
      undefined_row("where", "mask", [=] { where(Tensor(), x, x); }),
      undefined_row("where", "a", [=] { where(mask, Tensor(), x); }),
      undefined_row("where", "b", [=] { where(mask, x, Tensor()); }),
      REFUSED(dtype, where(x, x, x), "where: the mask must be i64, got f32", {x}),
      REFUSED(dtype, where(mask, x, precise), "where: dtypes differ: f32 and f64", {x}),
      REFUSED(shape, where(mask, x, other), "where: shapes [2, 3] and [4] do not broadcast", {mask, x, other}),
      REFUSED(shape, where(ids({1, 0, 1, 0}), x, x), "where: shapes [4] and [2, 3] do not broadcast"),
      undefined_row("masked_fill", "x", [=] { masked_fill(Tensor(), mask, 0); }),
      undefined_row("masked_fill", "mask", [=] { masked_fill(x, Tensor(), 0); }),
      REFUSED(dtype, masked_fill(x, x, 0), "masked_fill: the mask must be i64, got f32", {x}),
      REFUSED(shape, masked_fill(x, ids({1, 0, 1, 0}), 0), "masked_fill: shapes [4] and [2, 3] do not broadcast", {x}),
      REFUSED(dtype, masked_fill(whole, mask, 0.5), "masked_fill: an i64 tensor cannot hold 0.5", {whole}),
      REFUSED(dtype, masked_fill(whole, mask, kNaN), "masked_fill: an i64 tensor cannot hold nan", {whole}),
      undefined_row("tril", "x", [] { tril(Tensor()); }),
      undefined_row("triu", "x", [] { triu(Tensor(), 1); }),
      REFUSED(shape, tril(other), "tril: needs a matrix, got shape [4]", {other}),
      REFUSED(shape, triu(tensor(1)), "triu: needs a matrix, got shape []"),
  };
}

BadCalls gradus::test::reduce_rows() {
  const std::vector<std::pair<std::string, Reduction>> over_axes{
      {"sum", [](const Tensor& x, const Axes& axes) { sum(x, axes); }},
      {"mean", [](const Tensor& x, const Axes& axes) { mean(x, axes); }},
      {"var", [](const Tensor& x, const Axes& axes) { var(x, axes); }},
      {"stddev", [](const Tensor& x, const Axes& axes) { stddev(x, axes); }},
      {"prod", [](const Tensor& x, const Axes& axes) { prod(x, axes); }},
      {"max", [](const Tensor& x, const Axes& axes) { max(x, axes); }},
      {"min", [](const Tensor& x, const Axes& axes) { min(x, axes); }},
      {"logsumexp", [](const Tensor& x, const Axes& axes) { logsumexp(x, axes); }},
      {"squeeze", [](const Tensor& x, const Axes& axes) { squeeze(x, axes); }},
      {"flip", [](const Tensor& x, const Axes& axes) { flip(x, axes); }}};
  const auto first = [](const Axes& axes) { return axes.empty() ? 0 : axes.front(); };
  const std::vector<std::pair<std::string, Reduction>> over_axis{
      {"argmax", [=](const Tensor& x, const Axes& axes) { argmax(x, first(axes)); }},
      {"argmin", [=](const Tensor& x, const Axes& axes) { argmin(x, first(axes)); }},
      {"cumsum", [=](const Tensor& x, const Axes& axes) { cumsum(x, first(axes)); }},
      {"argsort", [=](const Tensor& x, const Axes& axes) { argsort(x, first(axes)); }},
      {"sort", [=](const Tensor& x, const Axes& axes) { sort(x, first(axes)); }},
      {"topk", [=](const Tensor& x, const Axes& axes) { topk(x, 1, first(axes)); }},
      {"split", [=](const Tensor& x, const Axes& axes) { split(x, 1, first(axes)); }},
      {"split", [=](const Tensor& x, const Axes& axes) { split(x, std::vector<int64_t>{1, 1}, first(axes)); }},
      {"chunk", [=](const Tensor& x, const Axes& axes) { chunk(x, 1, first(axes)); }},
      {"slice", [=](const Tensor& x, const Axes& axes) { slice(x, first(axes), 0, 1); }},
      {"select", [=](const Tensor& x, const Axes& axes) { select(x, first(axes), 0); }},
      {"roll", [=](const Tensor& x, const Axes& axes) { roll(x, 1, first(axes)); }},
      {"gather", [=](const Tensor& x, const Axes& axes) { gather(x, first(axes), ids({{0}})); }},
      {"index_select", [=](const Tensor& x, const Axes& axes) { index_select(x, first(axes), ids({0})); }},
      {"scatter_add", [=](const Tensor& x, const Axes& axes) { scatter_add(x, first(axes), ids({{0}}), ones({1, 1})); }},
      {"index_add", [=](const Tensor& x, const Axes& axes) { index_add(x, first(axes), ids({0}), ones({1, 3})); }},
      {"transpose", [=](const Tensor& x, const Axes& axes) { transpose(x, first(axes), 0); }}};
  BadCalls rows;
  for (const auto& [op, f] : over_axes) rows = joined({rows, axes_rows(op, f), axes_twice_rows(op, f)});
  for (const auto& [op, f] : over_axis) rows = joined({rows, axes_rows(op, f)});

  const Tensor none = zeros({0}), no_rows = zeros({0, 3}), x = ones({2, 3}), whole = ids({1, 2});
  for (const auto& [op, f] : std::vector<std::pair<std::string, std::function<void(const Tensor&)>>>{
           {"max", [](const Tensor& t) { max(t); }},
           {"min", [](const Tensor& t) { min(t); }},
           {"argmax", [](const Tensor& t) { argmax(t, 0); }},
           {"argmin", [](const Tensor& t) { argmin(t, 0); }}}) {
    rows += {op + "([0])", [=, f = f] { f(none); }, Raises::shape, op + ": cannot reduce zero elements (x has shape [0])"};
    rows += {op + "([0, 3])", [=, f = f] { f(no_rows); }, Raises::shape,
             op + ": cannot reduce zero elements (x has shape [0, 3])"};
  }
  const BadCalls others{
      undefined_row("sum_to", "x", [] { sum_to(Tensor(), {1}); }),
      REFUSED(shape, sum_to(x, {2}), "sum_to: shape [2] does not broadcast to [2, 3]", {x}),
      REFUSED(shape, sum_to(x, {4, 2, 3}), "sum_to: shape [4, 2, 3] does not broadcast", {x}),
      REFUSED(dtype, logsumexp(whole), "logsumexp: needs a floating dtype, got i64", {whole}),
      REFUSED(value, var(x, {}, kNaN), "var: the correction must be finite, got nan", {x}),
      REFUSED(value, var(whole, {}, kInfinity), "var: the correction must be finite, got inf", {whole}),
      REFUSED(value, stddev(x, 0, -kInfinity), "stddev: the correction must be finite, got -inf", {x}),
      REFUSED(value, stddev(whole, {}, kNaN), "stddev: the correction must be finite, got nan", {whole}),
  };
  return joined({rows, others});
}

BadCalls gradus::test::matmul_rows() {
  const Tensor a = ones({2, 3}), b = ones({4, 5}), v = ones({3}), precise = ones({3, 2}, DType::f64);
  const Tensor whole = ids({{1, 2}, {3, 4}}), counts = ids({1, 2, 3});
  return {
      undefined_row("matmul", "a", [=] { matmul(Tensor(), a); }),
      undefined_row("matmul", "b", [=] { matmul(a, Tensor()); }),
      undefined_row("dot", "a", [=] { dot(Tensor(), v); }),
      undefined_row("dot", "b", [=] { dot(v, Tensor()); }),
      undefined_row("outer", "a", [=] { outer(Tensor(), v); }),
      undefined_row("outer", "b", [=] { outer(v, Tensor()); }),
      REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ: [2, 3] @ [4, 5] (3 against 4)", {a, b}),
      REFUSED(shape, matmul(a, b, {.transpose_a = true}),
              "matmul: inner dimensions differ: [2, 3]ᵀ @ [4, 5] (2 against 4)", {a, b}),
      REFUSED(shape, matmul(a, b, {.transpose_b = true}),
              "matmul: inner dimensions differ: [2, 3] @ [4, 5]ᵀ (3 against 5)", {a, b}),
      REFUSED(shape, matmul(v, b), "matmul: inner dimensions differ: [3] @ [4, 5]", {v, b}),
      REFUSED(shape, matmul(b, v), "matmul: inner dimensions differ: [4, 5] @ [3]", {v, b}),
      REFUSED(shape, matmul(tensor(1), a), "matmul: needs vectors or matrices, got shapes [] and [2, 3]"),
      REFUSED(shape, matmul(a, tensor(1)), "matmul: needs vectors or matrices, got shapes [2, 3] and []"),
      REFUSED(shape, matmul(ones({2, 3, 4}), ones({3, 4, 5})),
              "matmul: the axes before the last two do not broadcast: [2, 3, 4] @ [3, 4, 5] (2 against 3; sizes must be equal or 1)"),
      REFUSED(dtype, matmul(a, precise), "matmul: dtypes differ: f32 and f64", {a, precise}),
      REFUSED(dtype, matmul(whole, whole), "matmul: needs a floating dtype, got i64", {whole}),
      REFUSED(shape, dot(v, ones({4})), "dot: the lengths differ: [3] and [4]", {v}),
      REFUSED(shape, dot(ones({1}), v), "dot: the lengths differ: [1] and [3]", {v}),
      REFUSED(shape, dot(a, v), "dot: needs two vectors, got shapes [2, 3] and [3]", {a, v}),
      REFUSED(dtype, dot(v, ones({3}, DType::f64)), "dot: dtypes differ: f32 and f64", {v}),
      REFUSED(dtype, dot(counts, counts), "dot: needs a floating dtype, got i64 and i64", {counts}),
      REFUSED(shape, outer(a, v), "outer: needs two vectors, got shapes [2, 3] and [3]", {a, v}),
      REFUSED(dtype, outer(v, ones({3}, DType::f64)), "outer: dtypes differ: f32 and f64", {v}),
      REFUSED(shape, outer(tensor(1), v), "outer: needs two vectors, got shapes [] and [3]", {v}),
  };
}

TEST_CASE("bad input: masks and selections are refused, each by its own name") { check_bad_calls(select_rows()); }

TEST_CASE("bad input: axes that are undefined, out of range, given twice or empty are refused by every op that takes one") {
  check_bad_calls(reduce_rows());
}

TEST_CASE("bad input: products are refused, each by its own name") { check_bad_calls(matmul_rows()); }
