// Bad calls of layout.cpp and index.cpp. (Their axes are in test_select.cpp, with those of the reductions.)
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kMost = INT64_MAX;

BadCalls shape_changing_rows() {
  const Tensor x = ones({2, 3}), six = ones({1, 1, 1, 1, 1, 1}), empty = zeros({0, 3});
  return keeping({x, six}, {
    UNDEFINED_X(reshape(none, {1})), UNDEFINED_X(reshape(none, Shape{1})), UNDEFINED_X(expand(none, {1})), UNDEFINED_X(permute(none, {0})),
        UNDEFINED_X(unsqueeze(none, 0)), UNDEFINED_X(flatten(none)), UNDEFINED_X(pad(none, {{1, 1}})), UNDEFINED_X(tril(none)),
        UNDEFINED_X(triu(none, 1)), UNDEFINED_X(sum_to(none, {1})), undefined_row("reshape", "x", [] { Tensor().view({1}); }),
        REFUSED(shape, reshape(x, {4}), "reshape: cannot turn [2, 3] (6 elements) into [4] (4 elements)"),
        REFUSED(shape, reshape(x, {-1, -1}), "reshape: only one size may be -1"),
        REFUSED(shape, reshape(x, {4, -1}), "reshape: cannot infer -1: 6 elements (shape [2, 3]) are not divisible by 4"),
        REFUSED(shape, reshape(empty, {0, -1}), "reshape: cannot infer -1"),
        REFUSED(shape, reshape(x, {-2, 3}), "reshape: an axis has the negative size -2"),
        REFUSED(shape, reshape(x, {-2, -1}), "reshape: cannot infer -1"),
        REFUSED(shape, reshape(x, {int64_t{1} << 62, 4, -1}), "reshape: a size of 4611686018427387904 · 4 does not fit in 64 bits"),
        REFUSED(shape, reshape(x, Shape{int64_t{1} << 40, 1 << 20}), "reshape: shape [1099511627776, 1048576] is larger than any memory"),
        REFUSED(shape, reshape(x, {1, 1, 1, 1, 1, 2, 3}), "reshape: 7 axes, but a tensor has at most 6"),
        REFUSED(shape, x.view({5}), "reshape: cannot turn [2, 3]"),
        REFUSED(shape, expand(x, {2, 4}), "expand: shape [2, 3] does not broadcast to [2, 4]"),
        REFUSED(shape, expand(x, {3}), "expand: shape [2, 3] does not broadcast to [3]"),
        REFUSED(shape, expand(x, {2, -2}), "expand: a size must be 0 or more, or -1 for an axis of x that stays, got -2 for [2, 3]"),
        REFUSED(shape, expand(x, {1, 1, 1, 1, 1, 2, 3}), "expand: 7 axes, but a tensor has at most 6"),
        REFUSED(shape, expand(x, {int64_t{1} << 50, 2, 3}), "expand: shape [1125899906842624, 2, 3] is larger"),
        REFUSED(shape, permute(x, {0}), "permute: the order must name each of the 2 axes of [2, 3] once"),
        REFUSED(shape, permute(x, {0, 0}), "permute: the order must name each of the 2 axes"),
        REFUSED(shape, permute(x, {0, 1, 1}), "permute: the order must name each of the 2 axes"),
        REFUSED(shape, permute(x, {0, 2}), "permute: axis 2 is out of range"),
        REFUSED(shape, transpose(ones({3})), "transpose: axis -2 is out of range for a tensor of 1 axes"),
        REFUSED(shape, transpose(x, 0, 2), "transpose: axis 2 is out of range"),
        REFUSED(shape, squeeze(x, 0), "squeeze: axis 0 of shape [2, 3] has size 2, expected 1"),
        REFUSED(shape, unsqueeze(x, 3), "unsqueeze: axis 3 is out of range for inserting an axis into [2, 3]"),
        REFUSED(shape, unsqueeze(x, -4), "unsqueeze: axis -4 is out of range"),
        REFUSED(shape, unsqueeze(six, 0), "unsqueeze: 7 axes, but a tensor has at most 6"),
        REFUSED(shape, flatten(x, 2), "flatten: axis 2 is out of range"),
        REFUSED(shape, flatten(x, 0, 2), "flatten: axis 2 is out of range"),
        REFUSED(shape, flatten(x, 1, 0), "flatten: axis 1 comes after axis 0"),
        undefined_row("rows", "x",
                      [] {
                        for (const Tensor& row : Tensor()) (void)row;
                      }),
        REFUSED(shape, for (const Tensor& row : tensor(1))(void) row, "rows: axis 0 is out of range"),
  });
}

}  // namespace

BadCalls gradus::test::layout_rows() {
  const Tensor x = ones({2, 3}), precise = ones({2, 3}, DType::f64), other = ones({2, 4}), v = ones({3}), four = ones({4});
  const Tensor six = ones({1, 1, 1, 1, 1, 1}), long_empty = zeros({int64_t{1} << 47, 0});
  using Sizes = std::vector<int64_t>;
  return keeping(
      {x, precise, other, v, six, four},
      {
          shape_changing_rows(),
          REFUSED(value, cat({}, 0), "cat: nothing to join"),
          undefined_row("cat", "parts[0]", [=] { cat({Tensor(), x}, 0); }),
          undefined_row("cat", "parts[2]", [=] { cat({x, x, Tensor()}, 0); }),
          REFUSED(shape, cat({x}, 2), "cat: axis 2 is out of range"),
          REFUSED(shape, cat({tensor(1)}, 0), "cat: axis 0 is out of range for a tensor of 0 axes"),
          REFUSED(shape, cat({x, other}, 0), "cat: shape [2, 4] does not join [2, 3] along axis 0"),
          REFUSED(shape, cat({x, v}, 0), "cat: shape [3] does not join [2, 3] along axis 0"),
          REFUSED(dtype, cat({x, precise}, 0), "cat: dtypes differ: f32 and f64"),
          REFUSED(shape, cat({long_empty, long_empty, long_empty}, 0), "cat: shape [422212465065984, 0] is larger than any memory"),
          REFUSED(value, stack({}), "stack: nothing to join"),
          undefined_row("stack", "parts[0]", [=] { stack({Tensor(), x}); }),
          undefined_row("stack", "parts[1]", [=] { stack({x, Tensor()}); }),
          REFUSED(shape, stack({x}, 3), "stack: axis 3 is out of range for a tensor of 3 axes"),
          REFUSED(shape, stack({x}, -4), "stack: axis -4 is out of range"),
          REFUSED(shape, stack({x, other}), "stack: the shapes must be the same, got [2, 3] and [2, 4]"),
          REFUSED(shape, stack({x, v}, 2), "stack: the shapes must be the same, got [2, 3] and [3]"),
          REFUSED(dtype, stack({x, precise}), "stack: dtypes differ: f32 and f64"),
          REFUSED(shape, stack({six, six}), "stack: shape [1, 1, 1, 1, 1, 1] has no room for another axis"),
          REFUSED_EACH(split(x, bad), "split: the size must be positive", 0, -1),
          REFUSED(shape, split(four, Sizes{1, 2}, 0), "split: the sizes sum to 3, but axis 0 of [4] has 4"),
          REFUSED(value, split(four, Sizes{5, -1}, 0), "split: a size must not be negative, got -1"),
          REFUSED(shape, split(four, Sizes{kMost, kMost, 6}, 0),
                  "split: a size of 9223372036854775807 + 9223372036854775807 does not fit in 64 bits"),
          REFUSED(shape, split(four, Sizes{}, 0), "split: the sizes sum to 0, but axis 0 of [4] has 4"),
          REFUSED(value, split(zeros({int64_t{1} << 47, 0}), 1), "split: [140737488355328, 0] in pieces of 1 are too many pieces"),
          REFUSED(value, chunk(zeros({int64_t{1} << 47, 0}), int64_t{1} << 40),
                  "chunk: [140737488355328, 0] in pieces of 128 are too many pieces"),
          REFUSED_EACH(chunk(x, bad), "chunk: the count must be positive", 0, INT64_MIN),
          REFUSED(value, slice(x, 0, 0, 2, 0), "slice: the step must be positive, got 0; use flip"),
          REFUSED(value, slice(x, 0, 2, 0, -1), "slice: the step must be positive, got -1"),
          REFUSED(value, select(x, 0, 2), "select: index 2 is out of range for axis 0 of [2, 3]"),
          REFUSED(value, select(x, 1, -4), "select: index -4 is out of range for axis 1 of [2, 3]"),
          REFUSED(value, select(x, 0, INT64_MIN), "select: index -9223372036854775808 is out of range"),
          REFUSED(value, x[2], "select: index 2 is out of range for axis 0 of [2, 3]"),
          REFUSED(shape, tensor(1)[0], "select: axis 0 is out of range for a tensor of 0 axes"),
          undefined_row("select", "x", [] { Tensor()[0]; }),
          REFUSED(shape, pad(x, {{1, 1}}), "pad: 1 pairs for the 2 axes of [2, 3]"),
          REFUSED(value, pad(four, {{-1, 0}}), "pad: the padding -1, 0 of axis 0 must not be negative; use slice"),
          REFUSED(value, pad(four, {{0, -1}}), "pad: the padding 0, -1 of axis 0"),
          REFUSED(shape, pad(four, {{kMost, kMost}}), "pad: a size of 9223372036854775807 + 9223372036854775807 does not fit in 64 bits"),
          REFUSED(shape, pad(four, {{kMost / 2, kMost / 2}}), "pad: a size of 4 + 9223372036854775806"),
          REFUSED(shape, pad(four, {{int64_t{1} << 50, 0}}), "pad: shape [1125899906842628] is larger than any memory"),
          REFUSED(shape, pad(ones({4, 4}), {{kMost - 1, kMost - 1}, {1, 1}}), "pad: a size of"),
          REFUSED(dtype, pad(ids({1}), {{1, 1}}, 0.5), "pad: an i64 tensor cannot hold 0.5"),
          REFUSED(dtype, pad(ids({1}), {{1, 1}}, kNaN), "pad: an i64 tensor cannot hold nan"),
      });
}

BadCalls gradus::test::index_rows() {
  const Tensor x = ones({2, 3}), at = ids({{0, 1, 0}}), line = ids({0, 1}), floats = ones({2}), values = ones({2, 3});
  const Tensor high = ids({0, 2}), low = ids({-1, 0}), precise = ones({2, 3}, DType::f64);
  const Tensor six = reshape(ids({0}), {1, 1, 1, 1, 1, 1});
  const std::vector<std::string> read{"indices", "values"};
  return keeping({x, at, line, floats, values, high, low, six},
                 {
                     undefined_rows("scatter_add", read, {at, values}, [=](const Tensors& t) { scatter_add(x, 0, t[0], t[1]); }),
                     undefined_rows("index_add", read, {line, values}, [=](const Tensors& t) { index_add(x, 0, t[0], t[1]); }),
                     undefined_rows("take", {"x", "indices"}, {x, line}, [](const Tensors& t) { take(t[0], t[1]); }),
                     undefined_row("gather", "indices", [=] { gather(x, 0, Tensor()); }),
                     REFUSED(dtype, gather(x, 0, x), "gather: indices must be i64, got f32"),
                     REFUSED(shape, gather(x, 0, line), "gather: x [2, 3] and indices [2] must have the same number of axes"),
                     REFUSED(shape, gather(x, 0, ids({{0, 0, 0, 0}})), "gather: indices [1, 4] are longer than x [2, 3] along axis 1"),
                     REFUSED(value, gather(x, 0, ids({{2, 0, 0}})), "gather: id 2 is out of range; expected 0 … 1"),
                     REFUSED(value, gather(x, 1, ids({{-1, 0, 0}})), "gather: id -1 is out of range; expected 0 … 2"),
                     REFUSED(shape, scatter_add(x, 0, at, values), "scatter_add: values of shape [2, 3] for indices of [1, 3]"),
                     REFUSED(dtype, scatter_add(x, 0, at, ones({1, 3}, DType::f64)), "scatter_add: dtypes differ: f32 and f64"),
                     REFUSED(dtype, scatter_add(x, 0, ones({1, 3}), ones({1, 3})), "scatter_add: indices must be i64, got f32"),
                     REFUSED(value, scatter_add(x, 0, ids({{5, 0, 0}}), ones({1, 3})), "scatter_add: id 5 is out of range; expected 0 … 1"),
                     REFUSED(shape, scatter_add(x, 0, line, floats), "scatter_add: x [2, 3] and indices [2] must have"),
                     undefined_row("index_select", "indices", [=] { index_select(x, 0, Tensor()); }),
                     REFUSED(shape, index_select(x, 0, at), "index_select: indices must be a vector, got shape [1, 3]"),
                     REFUSED(dtype, index_select(x, 0, floats), "index_select: indices must be i64, got f32"),
                     REFUSED(value, index_select(x, 0, high), "index_select: id 2 is out of range; expected 0 … 1"),
                     REFUSED(value, index_select(x, 0, low), "index_select: id -1 is out of range; expected 0 … 1"),
                     REFUSED(shape, index_add(x, 0, at, values), "index_add: indices must be a vector, got shape [1, 3]"),
                     REFUSED(shape, index_add(x, 0, line, ones({1, 3})), "index_add: values of shape [1, 3], expected [2, 3]"),
                     REFUSED(dtype, index_add(x, 0, line, precise), "index_add: dtypes differ: f32 and f64"),
                     REFUSED(dtype, index_add(x, 0, floats, values), "index_add: indices must be i64, got f32"),
                     REFUSED(value, index_add(x, 0, high, values), "index_add: id 2 is out of range; expected 0 … 1"),
                     REFUSED(value, take(x, ids({6})), "take: id 6 is out of range; expected 0 … 5"),
                     REFUSED(value, take(x, ids({{-1}})), "take: id -1 is out of range; expected 0 … 5"),
                     REFUSED(dtype, take(x, floats), "take: indices must be i64, got f32"),
                     undefined_row("one_hot", "indices", [] { one_hot(Tensor(), 3); }),
                     REFUSED(dtype, one_hot(floats, 3), "one_hot: indices must be i64, got f32"),
                     REFUSED(value, one_hot(high, 2), "one_hot: id 2 is out of range; expected 0 … 1"),
                     REFUSED(value, one_hot(line, -3), "one_hot: the number of classes must not be negative, got -3"),
                     REFUSED(shape, one_hot(six, 2), "one_hot: 7 axes, but a tensor has at most 6"),
                     REFUSED(shape, one_hot(line, int64_t{1} << 48), "one_hot: shape [2, 281474976710656] is larger than any memory"),
                     REFUSED(value, topk(x, -1), "topk: k = -1, but axis 1 of [2, 3] has 3 elements"),
                     REFUSED(value, topk(x, 4), "topk: k = 4, but axis 1 of [2, 3] has 3 elements"),
                     REFUSED(value, topk(x, 3, 0), "topk: k = 3, but axis 0 of [2, 3] has 2 elements"),
                 });
}
