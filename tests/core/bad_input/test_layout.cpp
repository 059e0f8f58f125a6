// Bad calls of layout.cpp and index.cpp. (Their axes are in test_select.cpp, with those of the reductions.)
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kMost = INT64_MAX;

BadCalls shape_changing_rows() {
  const Tensor x = ones({2, 3}), six = ones({1, 1, 1, 1, 1, 1}), empty = zeros({0, 3});
  return {
      undefined_row("reshape", "x", [] { reshape(Tensor(), {1}); }),
      undefined_row("reshape", "x", [] { reshape(Tensor(), Shape{1}); }),
      undefined_row("reshape", "x", [] { Tensor().view({1}); }),
      {"reshape([2, 3], [4])", [=] { reshape(x, {4}); },
       Raises::shape, "reshape: cannot turn [2, 3] (6 elements) into [4] (4 elements)", {x}},
      {"reshape([2, 3], {-1, -1})", [=] { reshape(x, {-1, -1}); }, Raises::shape, "reshape: only one size may be -1", {x}},
      {"reshape([2, 3], {4, -1})", [=] { reshape(x, {4, -1}); }, Raises::shape,
       "reshape: cannot infer -1: 6 elements (shape [2, 3]) are not divisible by 4", {x}},
      {"reshape([0, 3], {0, -1})", [=] { reshape(empty, {0, -1}); }, Raises::shape, "reshape: cannot infer -1"},
      {"reshape([2, 3], {-2, 3})", [=] { reshape(x, {-2, 3}); },
       Raises::shape, "reshape: an axis has the negative size -2", {x}},
      {"reshape([2, 3], {-2, -1})", [=] { reshape(x, {-2, -1}); }, Raises::shape, "reshape: cannot infer -1", {x}},
      {"reshape(x, {2^62, 4, -1})", [=] { reshape(x, {int64_t{1} << 62, 4, -1}); }, Raises::shape,
       "reshape: a size of 4611686018427387904 · 4 does not fit in 64 bits", {x}},
      {"reshape(x, {2^40, 2^20})", [=] { reshape(x, Shape{int64_t{1} << 40, 1 << 20}); }, Raises::shape,
       "reshape: shape [1099511627776, 1048576] is larger than any memory", {x}},
      {"reshape(x, 7 axes)", [=] { reshape(x, {1, 1, 1, 1, 1, 2, 3}); },
       Raises::shape, "reshape: 7 axes, but a tensor has at most 6", {x}},
      {"x.view({5})", [=] { x.view({5}); }, Raises::shape, "reshape: cannot turn [2, 3]", {x}},
      undefined_row("expand", "x", [] { expand(Tensor(), {1}); }),
      {"expand([2, 3], [2, 4])", [=] { expand(x, {2, 4}); },
       Raises::shape, "expand: shape [2, 3] does not broadcast to [2, 4]", {x}},
      {"expand([2, 3], [3])", [=] { expand(x, {3}); }, Raises::shape, "expand: shape [2, 3] does not broadcast to [3]", {x}},
      {"expand([2, 3], {2, -1})", [=] { expand(x, {2, -1}); },
       Raises::shape, "expand: a size must not be negative, got -1; for an axis that stays, write x.size(axis)", {x}},
      {"expand(x, 7 axes)", [=] { expand(x, {1, 1, 1, 1, 1, 2, 3}); },
       Raises::shape, "expand: 7 axes, but a tensor has at most 6", {x}},
      {"expand([2, 3], [2^50, 2, 3])", [=] { expand(x, {int64_t{1} << 50, 2, 3}); },
       Raises::shape, "expand: shape [1125899906842624, 2, 3] is larger", {x}},
      undefined_row("permute", "x", [] { permute(Tensor(), {0}); }),
      {"permute(x, {0})", [=] { permute(x, {0}); },
       Raises::shape, "permute: the order must name each of the 2 axes of [2, 3] once", {x}},
      {"permute(x, {0, 0})", [=] { permute(x, {0, 0}); },
       Raises::shape, "permute: the order must name each of the 2 axes", {x}},
      {"permute(x, {0, 1, 1})", [=] { permute(x, {0, 1, 1}); },
       Raises::shape, "permute: the order must name each of the 2 axes", {x}},
      {"permute(x, {0, 2})", [=] { permute(x, {0, 2}); }, Raises::shape, "permute: axis 2 is out of range", {x}},
      {"transpose(vector)", [] { transpose(ones({3})); },
       Raises::shape, "transpose: axis -2 is out of range for a tensor of 1 axes"},
      {"transpose(x, 0, 2)", [=] { transpose(x, 0, 2); }, Raises::shape, "transpose: axis 2 is out of range", {x}},
      {"squeeze([2, 3], 0)", [=] { squeeze(x, 0); },
       Raises::shape, "squeeze: axis 0 of shape [2, 3] has size 2, expected 1", {x}},
      undefined_row("unsqueeze", "x", [] { unsqueeze(Tensor(), 0); }),
      {"unsqueeze(x, 3)", [=] { unsqueeze(x, 3); },
       Raises::shape, "unsqueeze: axis 3 is out of range for inserting an axis into [2, 3]", {x}},
      {"unsqueeze(x, -4)", [=] { unsqueeze(x, -4); }, Raises::shape, "unsqueeze: axis -4 is out of range", {x}},
      {"unsqueeze(6 axes)", [=] { unsqueeze(six, 0); },
       Raises::shape, "unsqueeze: 7 axes, but a tensor has at most 6", {six}},
      undefined_row("flatten", "x", [] { flatten(Tensor()); }),
      {"flatten(x, 2)", [=] { flatten(x, 2); }, Raises::shape, "flatten: axis 2 is out of range", {x}},
      {"flatten(x, 0, 2)", [=] { flatten(x, 0, 2); }, Raises::shape, "flatten: axis 2 is out of range", {x}},
      {"flatten(x, 1, 0)", [=] { flatten(x, 1, 0); }, Raises::shape, "flatten: axis 1 comes after axis 0", {x}},
      undefined_row("rows", "x", [] { for (const Tensor& row : Tensor()) (void)row; }),
      {"for (row : number)", [] { for (const Tensor& row : tensor(1)) (void)row; },
       Raises::shape, "rows: axis 0 is out of range"},
  };
}

BadCalls joining_rows() {
  const Tensor x = ones({2, 3}), precise = ones({2, 3}, DType::f64), other = ones({2, 4}), v = ones({3});
  const Tensor six = ones({1, 1, 1, 1, 1, 1}), long_empty = zeros({int64_t{1} << 47, 0});
  return {
      {"cat({}, 0)", [] { cat({}, 0); }, Raises::value, "cat: nothing to join"},
      undefined_row("cat", "parts[0]", [=] { cat({Tensor(), x}, 0); }),
      undefined_row("cat", "parts[2]", [=] { cat({x, x, Tensor()}, 0); }),
      {"cat({x}, 2)", [=] { cat({x}, 2); }, Raises::shape, "cat: axis 2 is out of range", {x}},
      {"cat({number}, 0)", [] { cat({tensor(1)}, 0); }, Raises::shape, "cat: axis 0 is out of range for a tensor of 0 axes"},
      {"cat({[2, 3], [2, 4]}, 0)", [=] { cat({x, other}, 0); },
       Raises::shape, "cat: shape [2, 4] does not join [2, 3] along axis 0", {x, other}},
      {"cat({[2, 3], [3]}, 0)", [=] { cat({x, v}, 0); },
       Raises::shape, "cat: shape [3] does not join [2, 3] along axis 0", {x, v}},
      {"cat({f32, f64}, 0)", [=] { cat({x, precise}, 0); }, Raises::dtype, "cat: dtypes differ: f32 and f64", {x, precise}},
      {"cat of 2^47 rows, thrice", [=] { cat({long_empty, long_empty, long_empty}, 0); }, Raises::shape,
       "cat: shape [422212465065984, 0] is larger than any memory"},
      {"stack({})", [] { stack({}); }, Raises::value, "stack: nothing to join"},
      undefined_row("stack", "parts[0]", [=] { stack({Tensor(), x}); }),
      undefined_row("stack", "parts[1]", [=] { stack({x, Tensor()}); }),
      {"stack({x}, 3)", [=] { stack({x}, 3); }, Raises::shape, "stack: axis 3 is out of range for a tensor of 3 axes", {x}},
      {"stack({x}, -4)", [=] { stack({x}, -4); }, Raises::shape, "stack: axis -4 is out of range", {x}},
      {"stack({[2, 3], [2, 4]})", [=] { stack({x, other}); },
       Raises::shape, "stack: the shapes must be the same, got [2, 3] and [2, 4]", {x, other}},
      {"stack({[2, 3], [3]}, 2)", [=] { stack({x, v}, 2); },
       Raises::shape, "stack: the shapes must be the same, got [2, 3] and [3]", {x, v}},
      {"stack({f32, f64})", [=] { stack({x, precise}); }, Raises::dtype, "stack: dtypes differ: f32 and f64", {x, precise}},
      {"stack of 6 axes", [=] { stack({six, six}); },
       Raises::shape, "stack: shape [1, 1, 1, 1, 1, 1] has no room for another axis", {six}},
  };
}

BadCalls cutting_rows() {
  const Tensor x = ones({2, 3}), four = ones({4});
  using Sizes = std::vector<int64_t>;
  return {
      {"split(x, 0)", [=] { split(x, 0); }, Raises::value, "split: the size must be positive, got 0", {x}},
      {"split(x, -1)", [=] { split(x, -1); }, Raises::value, "split: the size must be positive, got -1", {x}},
      {"split([4], {1, 2}, 0)", [=] { split(four, Sizes{1, 2}, 0); },
       Raises::shape, "split: the sizes sum to 3, but axis 0 of [4] has 4", {four}},
      {"split([4], {5, -1}, 0)", [=] { split(four, Sizes{5, -1}, 0); },
       Raises::value, "split: a size must not be negative, got -1", {four}},
      {"split([4], {MAX, MAX, 6}, 0)", [=] { split(four, Sizes{kMost, kMost, 6}, 0); }, Raises::shape,
       "split: a size of 9223372036854775807 + 9223372036854775807 does not fit in 64 bits", {four}},
      {"split([4], {}, 0)", [=] { split(four, Sizes{}, 0); },
       Raises::shape, "split: the sizes sum to 0, but axis 0 of [4] has 4", {four}},
      {"split([2^47, 0], 1)", [=] { split(zeros({int64_t{1} << 47, 0}), 1); },
       Raises::value, "split: [140737488355328, 0] in pieces of 1 are too many pieces"},
      {"chunk([2^47, 0], 2^40)", [=] { chunk(zeros({int64_t{1} << 47, 0}), int64_t{1} << 40); },
       Raises::value, "chunk: [140737488355328, 0] in pieces of 128 are too many pieces"},
      {"chunk(x, 0)", [=] { chunk(x, 0); }, Raises::value, "chunk: the count must be positive, got 0", {x}},
      {"chunk(x, INT64_MIN)", [=] { chunk(x, INT64_MIN); }, Raises::value, "chunk: the count must be positive", {x}},
      {"slice(x, 0, 0, 2, 0)", [=] { slice(x, 0, 0, 2, 0); },
       Raises::value, "slice: the step must be positive, got 0; use flip", {x}},
      {"slice(x, 0, 2, 0, -1)", [=] { slice(x, 0, 2, 0, -1); },
       Raises::value, "slice: the step must be positive, got -1", {x}},
      {"select(x, 0, 2)", [=] { select(x, 0, 2); },
       Raises::value, "select: index 2 is out of range for axis 0 of [2, 3]", {x}},
      {"select(x, 1, -4)", [=] { select(x, 1, -4); },
       Raises::value, "select: index -4 is out of range for axis 1 of [2, 3]", {x}},
      {"select(x, 0, INT64_MIN)", [=] { select(x, 0, INT64_MIN); },
       Raises::value, "select: index -9223372036854775808 is out of range", {x}},
      {"x[2]", [=] { x[2]; }, Raises::value, "select: index 2 is out of range for axis 0 of [2, 3]", {x}},
      {"number[0]", [] { tensor(1)[0]; }, Raises::shape, "select: axis 0 is out of range for a tensor of 0 axes"},
      undefined_row("select", "x", [] { Tensor()[0]; }),
      undefined_row("pad", "x", [] { pad(Tensor(), {{1, 1}}); }),
      {"pad([2, 3], one pair)", [=] { pad(x, {{1, 1}}); }, Raises::shape, "pad: 1 pairs for the 2 axes of [2, 3]", {x}},
      {"pad([4], {{-1, 0}})", [=] { pad(four, {{-1, 0}}); },
       Raises::value, "pad: the padding -1, 0 of axis 0 must not be negative; use slice", {four}},
      {"pad([4], {{0, -1}})", [=] { pad(four, {{0, -1}}); }, Raises::value, "pad: the padding 0, -1 of axis 0", {four}},
      {"pad([4], {{MAX, MAX}})", [=] { pad(four, {{kMost, kMost}}); }, Raises::shape,
       "pad: a size of 9223372036854775807 + 9223372036854775807 does not fit in 64 bits", {four}},
      {"pad([4], {{MAX / 2, MAX / 2}})", [=] { pad(four, {{kMost / 2, kMost / 2}}); },
       Raises::shape, "pad: a size of 4 + 9223372036854775806", {four}},
      {"pad([4], {{2^50, 0}})", [=] { pad(four, {{int64_t{1} << 50, 0}}); },
       Raises::shape, "pad: shape [1125899906842628] is larger than any memory", {four}},
      {"pad([4, 4], {{MAX - 1, MAX - 1}, {1, 1}})", [] { pad(ones({4, 4}), {{kMost - 1, kMost - 1}, {1, 1}}); },
       Raises::shape, "pad: a size of"},
      {"pad(i64, …, 0.5)", [] { pad(ids({1}), {{1, 1}}, 0.5); }, Raises::dtype, "pad: an i64 tensor cannot hold 0.5"},
      {"pad(i64, …, NaN)", [] { pad(ids({1}), {{1, 1}}, kNan); }, Raises::dtype, "pad: an i64 tensor cannot hold nan"},
  };
}

}  // namespace

BadCalls gradus::test::layout_rows() { return joined({shape_changing_rows(), joining_rows(), cutting_rows()}); }

BadCalls gradus::test::index_rows() {
  const Tensor x = ones({2, 3}), at = ids({{0, 1, 0}}), line = ids({0, 1}), floats = ones({2}), values = ones({2, 3});
  const Tensor high = ids({0, 2}), low = ids({-1, 0}), precise = ones({2, 3}, DType::f64);
  const Tensor six = reshape(ids({0}), {1, 1, 1, 1, 1, 1});
  return {
      undefined_row("gather", "indices", [=] { gather(x, 0, Tensor()); }),
      {"gather(x, 0, f32)", [=] { gather(x, 0, x); }, Raises::dtype, "gather: indices must be i64, got f32", {x}},
      {"gather(x, 0, vector)", [=] { gather(x, 0, line); },
       Raises::shape, "gather: x [2, 3] and indices [2] must have the same number of axes", {x}},
      {"gather(x, 0, [1, 4])", [=] { gather(x, 0, ids({{0, 0, 0, 0}})); },
       Raises::shape, "gather: indices [1, 4] are longer than x [2, 3] along axis 1", {x}},
      {"gather(x, 0, 2)", [=] { gather(x, 0, ids({{2, 0, 0}})); },
       Raises::value, "gather: id 2 is out of range; expected 0 … 1", {x}},
      {"gather(x, 1, -1)", [=] { gather(x, 1, ids({{-1, 0, 0}})); },
       Raises::value, "gather: id -1 is out of range; expected 0 … 2", {x}},
      undefined_row("scatter_add", "indices", [=] { scatter_add(x, 0, Tensor(), values); }),
      undefined_row("scatter_add", "values", [=] { scatter_add(x, 0, at, Tensor()); }),
      {"scatter_add: values of another shape", [=] { scatter_add(x, 0, at, values); }, Raises::shape,
       "scatter_add: values of shape [2, 3] for indices of [1, 3]", {x, at, values}},
      {"scatter_add: f64 values", [=] { scatter_add(x, 0, at, ones({1, 3}, DType::f64)); },
       Raises::dtype, "scatter_add: dtypes differ: f32 and f64", {x}},
      {"scatter_add: f32 indices", [=] { scatter_add(x, 0, ones({1, 3}), ones({1, 3})); },
       Raises::dtype, "scatter_add: indices must be i64, got f32", {x}},
      {"scatter_add: id 5", [=] { scatter_add(x, 0, ids({{5, 0, 0}}), ones({1, 3})); },
       Raises::value, "scatter_add: id 5 is out of range; expected 0 … 1", {x}},
      {"scatter_add: vector indices", [=] { scatter_add(x, 0, line, floats); },
       Raises::shape, "scatter_add: x [2, 3] and indices [2] must have", {x}},
      undefined_row("index_select", "indices", [=] { index_select(x, 0, Tensor()); }),
      {"index_select: matrix", [=] { index_select(x, 0, at); },
       Raises::shape, "index_select: indices must be a vector, got shape [1, 3]", {x}},
      {"index_select: f32", [=] { index_select(x, 0, floats); },
       Raises::dtype, "index_select: indices must be i64, got f32", {x}},
      {"index_select: too high", [=] { index_select(x, 0, high); },
       Raises::value, "index_select: id 2 is out of range; expected 0 … 1", {x, high}},
      {"index_select: negative", [=] { index_select(x, 0, low); },
       Raises::value, "index_select: id -1 is out of range; expected 0 … 1", {x, low}},
      undefined_row("index_add", "indices", [=] { index_add(x, 0, Tensor(), values); }),
      undefined_row("index_add", "values", [=] { index_add(x, 0, line, Tensor()); }),
      {"index_add: matrix", [=] { index_add(x, 0, at, values); },
       Raises::shape, "index_add: indices must be a vector, got shape [1, 3]", {x}},
      {"index_add: values [1, 3]", [=] { index_add(x, 0, line, ones({1, 3})); },
       Raises::shape, "index_add: values of shape [1, 3], expected [2, 3]", {x}},
      {"index_add: f64 values", [=] { index_add(x, 0, line, precise); },
       Raises::dtype, "index_add: dtypes differ: f32 and f64", {x}},
      {"index_add: f32 indices", [=] { index_add(x, 0, floats, values); },
       Raises::dtype, "index_add: indices must be i64, got f32", {x}},
      {"index_add: too high", [=] { index_add(x, 0, high, values); },
       Raises::value, "index_add: id 2 is out of range; expected 0 … 1", {x, values}},
      undefined_row("take", "x", [=] { take(Tensor(), line); }),
      undefined_row("take", "indices", [=] { take(x, Tensor()); }),
      {"take: too high", [=] { take(x, ids({6})); }, Raises::value, "take: id 6 is out of range; expected 0 … 5", {x}},
      {"take: negative", [=] { take(x, ids({{-1}})); }, Raises::value, "take: id -1 is out of range; expected 0 … 5", {x}},
      {"take: f32", [=] { take(x, floats); }, Raises::dtype, "take: indices must be i64, got f32", {x}},
      undefined_row("one_hot", "indices", [] { one_hot(Tensor(), 3); }),
      {"one_hot: f32", [=] { one_hot(floats, 3); }, Raises::dtype, "one_hot: indices must be i64, got f32", {floats}},
      {"one_hot: too high", [=] { one_hot(high, 2); },
       Raises::value, "one_hot: id 2 is out of range; expected 0 … 1", {high}},
      {"one_hot: -3 classes", [=] { one_hot(line, -3); },
       Raises::value, "one_hot: the number of classes must not be negative, got -3", {line}},
      {"one_hot: 6 axes", [=] { one_hot(six, 2); }, Raises::shape, "one_hot: 7 axes, but a tensor has at most 6", {six}},
      {"one_hot: 2^48 classes", [=] { one_hot(line, int64_t{1} << 48); },
       Raises::shape, "one_hot: shape [2, 281474976710656] is larger than any memory", {line}},
      {"topk(x, -1)", [=] { topk(x, -1); }, Raises::value, "topk: k = -1, but axis 1 of [2, 3] has 3 elements", {x}},
      {"topk(x, 4)", [=] { topk(x, 4); }, Raises::value, "topk: k = 4, but axis 1 of [2, 3] has 3 elements", {x}},
      {"topk(x, 3, 0)", [=] { topk(x, 3, 0); }, Raises::value, "topk: k = 3, but axis 0 of [2, 3] has 2 elements", {x}},
  };
}

TEST_CASE("bad input: shapes, parts and positions are refused, each by its own name") { check_bad_calls(layout_rows()); }

TEST_CASE("bad input: indices are refused, each by its own name") { check_bad_calls(index_rows()); }
