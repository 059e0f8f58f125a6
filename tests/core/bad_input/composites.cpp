// Bad calls of core/composites that no other table has.
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

BadCalls gradus::test::composite_rows() {
  const Tensor x = ones({2, 3}), v = ones({3}), half = ones({2, 3}, DType::f16), whole = ones({2, 3}, DType::i64);
  const Tensor first = zeros({2, 2}, DType::i64), off = full({2, 1}, 3, DType::i64);
  return keeping(
      {x, v, half, whole, first, off},
      {
          REFUSED(value, maximum(1, 2), "maximum: both operands are numbers; one must be a tensor"),
          REFUSED(value, where(whole, 1, 0), "where: both operands are numbers"),
          REFUSED(dtype, maximum(whole, 0.5), "maximum: an i64 tensor cannot hold 0.5"),
          REFUSED(value, einsum("ij,jk->ik", {x}), "einsum: \"ij,jk->ik\" is for 2 tensors, got 1"),
          REFUSED(value, einsum("", {}), "einsum: \"\" is for 1 tensors, got 0"),
          REFUSED(shape, einsum("ijk->k", {x}), "einsum: \"ijk\" in \"ijk->k\" has 3 letters, but shape [2, 3]"),
          REFUSED(shape, einsum("ij,ij->i", {x, ones({2, 4})}), "einsum: 'j' in \"ij,ij->i\" is 3 and 4"),
          REFUSED(value, einsum("ii->i", {x}), "einsum: 'i' is twice in \"ii\" of \"ii->i\""),
          REFUSED(value, einsum("ij->k", {x}), "einsum: 'k' in the result of \"ij->k\" is in no factor"),
          REFUSED(value, einsum("...i->i", {v}), "einsum: '.' in \"...i->i\"; expected letters"),
          undefined_row("einsum", "factors[1]", [=] { einsum("ij,jk", {x, Tensor()}); }),
          REFUSED(value, scatter(x, 1, first, ones({2, 2})), "scatter: two values for one place; use scatter_add"),
          REFUSED(value, scatter(x, 1, off, ones({2, 1})), "scatter: id 3 is out of range"),
          REFUSED(shape, median(zeros({2, 0})), "median: of no elements (x has shape [2, 0])"),
          REFUSED(shape, median(x, 2), "median: axis 2 is out of range"),
          REFUSED(shape, cumprod(x, 2), "cumprod: axis 2 is out of range"),
          REFUSED(shape, norm(x, 2), "norm: axis 2 is out of range"),
          REFUSED(shape, any(x, -3), "any: axis -3 is out of range"),
          REFUSED(dtype, einsum("ij,ij->i", {whole, whole}), "einsum: needs a floating dtype, got i64"),
          REFUSED(dtype, scatter(x, 1, first, ones({2, 2}, DType::f64)), "scatter: dtypes differ: f32 and f64"),
          REFUSED(shape, repeat(x, {int64_t{1} << 60, 1}), "larger than any memory"),
          REFUSED(memory, repeat(ones({1}), {int64_t{1} << 44}), "expand"),
          REFUSED(shape, repeat(x, {2}), "repeat: 1 counts for the 2 axes of [2, 3]"),
          REFUSED(value, repeat(x, {2, -1}), "repeat: a count must not be negative, got -1"),
          REFUSED(dtype, masked_select(x, half), "masked_select: the mask is f16, expected i64, as x > 0 gives"),
          REFUSED(shape, masked_select(x, ones({3, 2}, DType::i64)), "masked_select: mask [3, 2] does not broadcast to [2, 3]"),
          REFUSED(value, masked_select(v, tensor({0, 2, 1}, DType::i64)),
                  "masked_select: a mask holds zeros and ones; to select by indices"),
          REFUSED(value, v[tensor({0, 2, 1}, DType::i64)], "x[mask]: a mask holds zeros and ones; to select by indices, use index_select"),
          REFUSED(shape, x[tensor({1, 0, 1}, DType::i64)], "x[mask]: the mask's shape [3] is not that of the first axes of [2, 3]"),
          REFUSED(shape, x[tensor(1, DType::i64)], "x[mask]: the mask's shape [] is not that of the first axes"),
          REFUSED(dtype, x[ones({2})], "x[mask]: the mask is f32, expected i64"),
          undefined_row("masked_select", "mask", [=] { x[Tensor()]; }),
          REFUSED(shape, x.reshape({4, -1}), "reshape: cannot infer -1"),
          REFUSED(shape, reshape(x, std::vector<int64_t>{-1, -1}), "reshape: only one size may be -1"),
          REFUSED(shape, expand(x, std::vector<int64_t>{-1, 2, 3}), "expand: a size must be 0 or more, or -1 for an axis of x that stays"),
      });
}
