// Every differentiable op: the contract.
//
// A [primitive] has a backward rule of its own; a [composite] is made of other ops and gets its gradient from
// them; a [constant] has no gradient: its result is a count, an id or a mask (i64 zeros and ones).
// Operands broadcast as in NumPy. Floating dtypes do not mix (DTypeError; use cast), but for an f32 constant of shape [], a
// number, beside an f16 operand: they are computed in f32 and rounded once to f16. An i64 operand is read in the dtype of a
// floating one. Axes may be negative. Nothing is changed in place; an op that has nothing to do (a slice of the whole axis,
// a cast to the same dtype, dropout of 0) returns its argument itself: clone() what is to be changed in place.
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/tensor/create.h"
#include "core/tensor/tensor.h"

namespace gradus {

// --- arithmetic.cpp ---------------------------------------------------------------------------------------
Tensor add(const Tensor& a, const Tensor& b);      // a + b  [primitive]
Tensor sub(const Tensor& a, const Tensor& b);      // a - b  [composite]
Tensor mul(const Tensor& a, const Tensor& b);      // a ⊙ b  [primitive]
Tensor div(const Tensor& a, const Tensor& b);      // a / b  [primitive: a·b⁻¹ would round twice]
Tensor neg(const Tensor& x);                       // -x  [primitive]
Tensor pow(const Tensor& a, const Tensor& b);      // a^b  [primitive]
Tensor pow(const Tensor& a, Scalar b);             // [composite]
Tensor square(const Tensor& x);                    // x·x  [composite]
Tensor rsqrt(const Tensor& x);                     // 1/√x  [composite]
Tensor abs(const Tensor& x);                       // derivative sign(x): 0 at 0  [primitive]
Tensor sign(const Tensor& x);                      // -1, 0, 1; derivative 0  [constant]
Tensor maximum(const Tensor& a, const Tensor& b);  // NaN if either is; equal operands share the gradient  [primitive]
Tensor minimum(const Tensor& a, const Tensor& b);  // [primitive]
Tensor clamp(const Tensor& x, double low, double high);  // derivative 1 at both ends; ValueError if low > high  [composite]

// a + b, a - 1, 2 * a, -a …
inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator+(const Tensor& a, Scalar b) { return add(a, operand_like(a, b)); }
inline Tensor operator+(Scalar a, const Tensor& b) { return add(operand_like(b, a), b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator-(const Tensor& a, Scalar b) { return add(a, operand_like(a, -b.value)); }
inline Tensor operator-(Scalar a, const Tensor& b) { return sub(operand_like(b, a), b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator*(const Tensor& a, Scalar b) { return mul(a, operand_like(a, b)); }
inline Tensor operator*(Scalar a, const Tensor& b) { return mul(operand_like(b, a), b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator/(const Tensor& a, Scalar b) { return div(a, operand_like(a, b)); }
inline Tensor operator/(Scalar a, const Tensor& b) { return div(operand_like(b, a), b); }
inline Tensor operator-(const Tensor& x) { return neg(x); }
// Changes a leaf in place, as in `NoGrad off; p -= lr * p.grad();`. GraphError while recording if either side requires a
// gradient: the tape cannot follow, write a = a + b. ShapeError unless b broadcasts to a; DTypeError if a cannot hold it.
Tensor& operator+=(Tensor& a, const Tensor& b);
Tensor& operator-=(Tensor& a, const Tensor& b);
Tensor& operator*=(Tensor& a, const Tensor& b);
Tensor& operator/=(Tensor& a, const Tensor& b);
inline Tensor& operator+=(Tensor& a, Scalar b) { return a += operand_like(a, b); }
inline Tensor& operator-=(Tensor& a, Scalar b) { return a -= operand_like(a, b); }
inline Tensor& operator*=(Tensor& a, Scalar b) { return a *= operand_like(a, b); }
inline Tensor& operator/=(Tensor& a, Scalar b) { return a /= operand_like(a, b); }

// --- elementary.cpp ---------------------------------------------------------------------------------------
Tensor exp(const Tensor& x);      // ∞ for x > 88.37, in f64 709.43; 0 for x < -87.68, in f64 -708.39  [primitive]
Tensor expm1(const Tensor& x);    // e^x - 1, exact near 0; ∞ where exp is  [primitive], like the others below
Tensor log(const Tensor& x);      // natural
Tensor log1p(const Tensor& x);    // log(1 + x), exact near 0
Tensor sqrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);  // 1 / (1 + e^-x)
Tensor erf(const Tensor& x);      // 2/√π ∫₀ˣ e^(-t²) dt
Tensor relu(const Tensor& x);     // max(0, x); derivative 0 at 0
Tensor cast(const Tensor& x, DType dtype);  // toward 0 if to i64: ValueError for NaN, ±∞ and what is beyond ±2⁶³
// f(inputs), f16 being storage only: widened to f32, computed there and rounded once. Other dtypes pass as they are.
Tensor in_f32(const Tensors& inputs, const std::function<Tensor(const Tensors&)>& f);

// --- select.cpp: masks and what they choose ---------------------------------------------------------------
Tensor eq(const Tensor& a, const Tensor& b);  // [constant], like all comparisons and logical ops
Tensor ne(const Tensor& a, const Tensor& b);
inline Tensor eq(const Tensor& a, Scalar b) { return eq(a, operand_like(a, b)); }
inline Tensor ne(const Tensor& a, Scalar b) { return ne(a, operand_like(a, b)); }
Tensor lt(const Tensor& a, const Tensor& b);
Tensor le(const Tensor& a, const Tensor& b);
Tensor gt(const Tensor& a, const Tensor& b);
Tensor ge(const Tensor& a, const Tensor& b);
// Element by element, as in NumPy: a mask. equal(a, b) is the one answer to whether two tensors are the same.
inline Tensor operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
inline Tensor operator==(const Tensor& a, Scalar b) { return eq(a, b); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
inline Tensor operator!=(const Tensor& a, Scalar b) { return ne(a, b); }
inline Tensor operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
inline Tensor operator<(const Tensor& a, Scalar b) { return lt(a, operand_like(a, b)); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
inline Tensor operator<=(const Tensor& a, Scalar b) { return le(a, operand_like(a, b)); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
inline Tensor operator>(const Tensor& a, Scalar b) { return gt(a, operand_like(a, b)); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
inline Tensor operator>=(const Tensor& a, Scalar b) { return ge(a, operand_like(a, b)); }
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& x);
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
// a where the mask is not 0, b where it is. A NaN that is not chosen does no harm, forward or backward.  [primitive]
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b);
Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value);  // value where the mask is not 0  [composite]
// The part on and below (above) the diagonal-th diagonal of the last two axes; zeros elsewhere.  [composite]
Tensor tril(const Tensor& x, int64_t diagonal = 0);
Tensor triu(const Tensor& x, int64_t diagonal = 0);

// --- reduce.cpp: over the given axes, or all; keepdim leaves them as axes of size 1 --------------------------
Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdim = false);   // [primitive]
// Of an i64 x, such as a mask, mean, var and std are taken in f64 and are f32.
Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdim = false);  // [composite]
// Sums x over the axes that `shape`, broadcast to x.shape(), is stretched along; the transpose of expand.  [primitive]
Tensor sum_to(const Tensor& x, const Shape& shape);
// Σ(x - mean)² / (n - correction): 1 is the unbiased estimate, 0 the population's. A correction of n or more divides by
// 0.  [composite]
Tensor var(const Tensor& x, const Axes& axes = {}, double correction = 1, bool keepdim = false);
// √var; where it is 0, the gradient is NaN. After `using namespace gradus` too it is gradus::std: std is C++'s.  [composite]
Tensor std(const Tensor& x, const Axes& axes = {}, double correction = 1, bool keepdim = false);
Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdim = false);  // right at zeros too  [composite]
// The largest (smallest); equal ones share the gradient. ShapeError over no elements.  [primitive]
Tensor max(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor min(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor argmax(const Tensor& x, int axis = -1, bool keepdim = false);  // of equals the first  [constant]
Tensor argmin(const Tensor& x, int axis = -1, bool keepdim = false);
// log Σ eˣ without overflow; of nothing but -∞ it is -∞, and its gradient NaN.  [composite]
Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor cumsum(const Tensor& x, int axis);  // y[i] = x[0] + … + x[i]  [primitive]

// --- matmul.cpp -------------------------------------------------------------------------------------------
// op(a) op(b) over the last two axes; op transposes them when asked. Leading axes broadcast; a vector is a row on
// the left and a column on the right. ShapeError when the inner sizes differ.  [primitive]
struct MatmulOptions {
  bool transpose_a = false;
  bool transpose_b = false;
};
Tensor matmul(const Tensor& a, const Tensor& b, MatmulOptions options = {});
Tensor dot(const Tensor& a, const Tensor& b);    // Σ a_i b_i of two vectors  [composite]
Tensor outer(const Tensor& a, const Tensor& b);  // a_i b_j of two vectors  [composite]

// --- layout.cpp: the same elements elsewhere --------------------------------------------------------------
Tensor reshape(const Tensor& x, std::initializer_list<int64_t> sizes);  // one size may be -1; shares storage  [primitive]
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor clone(const Tensor& x);  // the same values in a storage of its own  [primitive]
// Repeats x along axes of size 1 and new leading axes. ShapeError unless x.shape() broadcasts to `shape`.  [primitive]
Tensor expand(const Tensor& x, const Shape& shape);
Tensor permute(const Tensor& x, const std::vector<int>& order);      // y's axis i is x's axis order[i]  [primitive]
Tensor transpose(const Tensor& x, int axis_a = -2, int axis_b = -1);  // [composite]
Tensor squeeze(const Tensor& x, const Axes& axes = {});               // drops axes of size 1  [composite]
Tensor unsqueeze(const Tensor& x, int axis);                          // a new axis of size 1  [composite]
Tensor flatten(const Tensor& x, int first = 0, int last = -1);        // merges the axes first … last  [composite]
Tensor cat(const Tensors& parts, int axis);                           // [primitive]
Tensor stack(const Tensors& parts, int axis = 0);                     // along a new axis  [composite]
// Pieces of `size` (or of the given sizes, which must sum to the axis) / about equal pieces, `count` at most. An axis of
// size 0 is one piece.  [composite]
Tensors split(const Tensor& x, int64_t size, int axis = 0);
Tensors split(const Tensor& x, const std::vector<int64_t>& sizes, int axis);
Tensors chunk(const Tensor& x, int64_t count, int axis = 0);
// x[start:stop:step] as in Python: negative positions count from the end, out of range ones are clipped, step > 0.
inline constexpr int64_t kToEnd = INT64_MAX;
Tensor slice(const Tensor& x, int axis, int64_t start, int64_t stop = kToEnd, int64_t step = 1);  // [primitive]
Tensor select(const Tensor& x, int axis, int64_t index);              // x[index], that axis gone  [composite]
Tensor flip(const Tensor& x, const Axes& axes);                       // [primitive, with slice]
Tensor roll(const Tensor& x, int64_t shift, int axis);                // the last `shift` come first  [composite]
using Padding = std::vector<std::pair<int64_t, int64_t>>;             // {before, after} of each axis
Tensor pad(const Tensor& x, const Padding& padding, double value = 0);  // [primitive, the adjoint of slice]

// --- index.cpp: indices are i64, in range (ValueError) and need no gradient --------------------------------------
Tensor gather(const Tensor& x, int axis, const Tensor& indices);  // y[i][j] = x[i][indices[i][j]] (axis 1)  [primitive]
// x with values[i][j] added at [i][indices[i][j]] (axis 1); repeated indices add up.  [primitive]
Tensor scatter_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values);
Tensor index_select(const Tensor& x, int axis, const Tensor& indices);  // whole slices, indices a vector  [primitive]
Tensor index_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values);  // its adjoint  [primitive]
Tensor take(const Tensor& x, const Tensor& indices);  // from x as if flat, in the shape of indices  [composite]
Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype = DType::f32);  // [constant]
struct Sorted {
  Tensor values;
  Tensor indices;  // where each value was
};
Tensor argsort(const Tensor& x, int axis = -1, bool descending = false);  // stable; NaN is largest  [constant]
Sorted sort(const Tensor& x, int axis = -1, bool descending = false);     // [composite]
Sorted topk(const Tensor& x, int64_t k, int axis = -1);                   // the k largest, largest first  [composite]

// for (Tensor row : x): the slices x[0], x[1], … along the first axis.
struct Rows {
  Tensor x;
  int64_t index;
  Tensor operator*() const { return x[index]; }
  Rows& operator++() { return ++index, *this; }
  bool operator!=(const Rows& other) const { return index != other.index; }
};
inline Rows begin(const Tensor& x) { return {x, 0}; }
inline Rows end(const Tensor& x) { return {x, x.size(0)}; }

}  // namespace gradus
