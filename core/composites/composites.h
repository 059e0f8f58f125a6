// Ops that are made of the ops of core/ops alone. They get their gradients, of any order, from these. What core/ops/ops.h says of
// operands, dtypes, axes, NaN and errors holds here too. One [constant] has no gradient: its result is an index or a mask.
#pragma once

#include <concepts>
#include <string>

#include "core/ops/ops.h"

namespace gradus {

// --- statistics.cpp: over the given axes, or over all if none is given; keepdim leaves them as axes of size 1 ----------------
// Σ x / n. For an i64 x, such as a mask, mean, centered, var, stddev and norm compute in f64 and give f32.
Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
// x - μ, the deviations of x from its mean μ over the axes, exact however far from 0 x lies.
Tensor centered(const Tensor& x, const Axes& axes = {});
// The variance Σ(x - mean)² / (n - correction) of n elements: a correction of 1 gives the unbiased estimate, 0 the
// variance of the elements themselves; n or more divides by 0.
Tensor var(const Tensor& x, const Axes& axes = {}, double correction = 1, bool keepdim = false);
// The standard deviation √var; where that is 0, the gradient is NaN. (C++ has the name std.)
Tensor stddev(const Tensor& x, const Axes& axes = {}, double correction = 1, bool keepdim = false);
template <std::same_as<bool> B> Tensor var(const Tensor&, const Axes&, B) = delete;  // the third is the correction: var(x, axes, 1, true)
template <std::same_as<bool> B> Tensor stddev(const Tensor&, const Axes&, B) = delete;
// The length √Σ x²; where that is 0, the gradient is 0. In f32 it is ∞ beyond 1.8e19 and 0 below 1e-23. (Σ |x| is sum(abs(x)).)
Tensor norm(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
// The product of the elements; its gradient is right at zeros too, as is cumprod's.
Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor cumprod(const Tensor& x, int axis);  // y[i] = x[0] · … · x[i] along the axis
// log Σ eˣ without overflow; of no elements it is -∞; where all x are -∞, it is -∞ and its gradient NaN.
Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
// The middle element, or the mean of the two in the middle if there is an even number, as NumPy has it. But a NaN counts as the largest:
// it is in the result only where it stands in the middle. For an i64 x it is f32, as mean is. ShapeError over no elements.
Tensor median(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
// Masks: 1 where any, or all, of the elements are not 0. Over no elements, any is 0 and all is 1.  [constant]
Tensor any(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor all(const Tensor& x, const Axes& axes = {}, bool keepdim = false);

// --- select.cpp -----------------------------------------------------------------------------------------------
// min(max(x, low), high), with derivative 1 at both ends. ValueError if low > high.
Tensor clamp(const Tensor& x, double low, double high);
Tensor floor(const Tensor& x);  // the largest whole number ≤ x, of 0 never -0; derivative 0  [constant]
Tensor round(const Tensor& x);  // the nearest whole number, of two the even one; derivative 0  [constant]
Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value);  // x, but value where the mask is not 0
// The part of each matrix, in the last two axes, that is on and below (triu: above) a diagonal; zeros elsewhere. Diagonal 0 is
// the main one, 1 the one above it, -1 the one below.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
Tensor triu(const Tensor& x, int64_t diagonal = 0);
Tensor take(const Tensor& x, const Tensor& indices);  // from x as if flat, in the shape of indices
// The positions of the n elements that are not 0, row-major: i64 [n, axes of x].  [constant]
Tensor nonzero(const Tensor& x);
// The elements of x where the mask is 1, row-major, in a vector; the mask broadcasts to x. x[mask] has the slices of x where a
// mask of its first axes is 1: [n, …]. ValueError for a mask that holds other numbers than 0 and 1, as indices do.
Tensor masked_select(const Tensor& x, const Tensor& mask);
// For a matrix and axis 1, x with values[i][j] in place of [i][indices[i][j]]; likewise for others. ValueError for two values
// for one place; use scatter_add.
Tensor scatter(const Tensor& x, int axis, const Tensor& indices, const Tensor& values);
// Along an axis: all elements, sorted, or the k largest, largest first; and the indices at which they stood, i64.
struct Sorted {
  Tensor values;
  Tensor indices;  // where each value was
};
Sorted sort(const Tensor& x, int axis = -1, bool descending = false);
Sorted topk(const Tensor& x, int64_t k, int axis = -1);

// --- product.cpp ----------------------------------------------------------------------------------------------
Tensor rsqrt(const Tensor& x);                   // 1/√x
Tensor dot(const Tensor& a, const Tensor& b);    // Σ a_i b_i of two vectors
Tensor outer(const Tensor& a, const Tensor& b);  // a_i b_j of two vectors
// Einstein's sum, as in NumPy: einsum("bik,bkj->bij", {a, b}) multiplies what has the same letters, and sums over those that
// are not in the result. Without "->" the result has the letters that occur once, in alphabetical order. ValueError for another
// text, ShapeError for a letter with two sizes. It has no "...", and a letter only once in one factor. Next is multiplied what makes a
// product of the fewest axes; ShapeError beyond 6.
Tensor einsum(const std::string& formula, const Tensors& factors);

// --- layout.cpp -----------------------------------------------------------------------------------------------
Tensor transpose(const Tensor& x, int axis_a = -2, int axis_b = -1);  // swaps two axes
Tensor squeeze(const Tensor& x, const Axes& axes = {});               // drops axes of size 1
Tensor unsqueeze(const Tensor& x, int axis);                          // adds an axis of size 1
Tensor flatten(const Tensor& x, int first = 0, int last = -1);        // merges the axes first … last into one
Tensor stack(const Tensors& parts, int axis = 0);                     // joined along a new axis
// Pieces along an axis. split: of `size` each, the last perhaps smaller; chunk: at most `count` pieces, all but the last of one
// size. An axis of size 0 is one piece.
Tensors split(const Tensor& x, int64_t size, int axis = 0);
Tensors chunk(const Tensor& x, int64_t count, int axis = 0);
Tensor select(const Tensor& x, int axis, int64_t index);  // x[index], that axis gone
Tensor roll(const Tensor& x, int64_t shift, int axis);    // the last `shift` come first
// x, counts[i] times one after the other along axis i; more counts than axes are for new leading axes.
Tensor repeat(const Tensor& x, const std::vector<int64_t>& counts);

// The range of `for (Tensor row : x)`: the slices x[0], x[1], … along the first axis.
struct Rows {
  Tensor x;
  int64_t index;
  Tensor operator*() const { return x[index]; }
  Rows& operator++() { return ++index, *this; }
  bool operator!=(const Rows& other) const { return index != other.index; }
};
// What `for (Tensor row : x)` calls. ShapeError for a tensor of shape [].
inline Rows begin(const Tensor& x) { return {x, normalize_axis(0, x, "rows")}; }
inline Rows end(const Tensor& x) { return {x, x.size(normalize_axis(0, x, "rows"))}; }

}  // namespace gradus
