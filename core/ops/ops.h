// The ops that everything else is made of: the contract. More, made of these alone, are in core/composites/composites.h.
//
// A [primitive] has a backward rule of its own; a [composite] is made of other ops and gets its gradient from
// them; a [constant] has no gradient: its result is a count, an id or a mask (i64 zeros and ones).
// Operands broadcast as in NumPy. Floating dtypes do not mix (DTypeError; use cast), but for an f32 constant of shape [], a
// number, beside an f16 operand: they are computed in f32 and rounded once to f16. An i64 operand is read in the dtype of a
// floating one. Axes may be negative. Nothing is changed in place; an op that has nothing to do (a slice of the whole axis,
// a cast to the same dtype, dropout of 0) returns its argument itself: clone() what is to be changed in place.
// i64 arithmetic wraps around beyond ±2⁶³, as NumPy's does: neg(INT64_MIN) is INT64_MIN.
// A NaN in an operand is in the result, and no gradient ends at it. In relu, clamp, maximum, minimum, max and min what loses a
// comparison gets a gradient of 0; nothing loses to a NaN, so beside one all that has not lost shares the gradient.
// An error begins with the name of the op that was called, and changes nothing. Every op is a GraphError, naming the argument,
// for an undefined tensor; a ShapeError for a result beyond 2⁴⁸ elements; and a MemoryError where there is no memory for it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/tensor/create.h"
#include "core/tensor/tensor.h"

namespace gradus {

// --- arithmetic.cpp ---------------------------------------------------------------------------------------
// Element by element. Here and below, a number may stand where an Operand can: maximum(x, 0), pow(2, x), 1 / x.
Tensor add(const Tensor& a, const Tensor& b);      // a + b  [primitive]
Tensor sub(const Tensor& a, const Tensor& b);      // a - b  [composite]
Tensor mul(const Tensor& a, const Tensor& b);      // a ⊙ b  [primitive]
Tensor div(const Tensor& a, const Tensor& b);      // a / b  [primitive: a·b⁻¹ would round twice]
Tensor neg(const Tensor& x);                       // -x  [primitive]
Tensor pow(const Tensor& a, const Tensor& b);      // a^b; 1 where b = 0, as C has it, even for a NaN  [primitive]
Tensor square(const Tensor& x);                    // x·x  [composite]
Tensor abs(const Tensor& x);                       // |x|; derivative sign(x): 0 at 0  [primitive]
Tensor sign(const Tensor& x);                      // -1, 0, 1; derivative 0  [constant]
Tensor maximum(const Tensor& a, const Tensor& b);  // NaN if either is; where neither is larger they share the gradient  [primitive]
Tensor minimum(const Tensor& a, const Tensor& b);  // likewise  [primitive]

inline Tensor add(const Operand& a, const Operand& b) { return add(a.beside(b), b.beside(a)); }
inline Tensor sub(const Operand& a, const Operand& b) {
  return b.is_number && b.value != -0x1p63 ? add(a.beside(b), Operand(-b.value).beside(a)) : sub(a.beside(b), b.beside(a));
}
inline Tensor mul(const Operand& a, const Operand& b) { return mul(a.beside(b), b.beside(a)); }
inline Tensor div(const Operand& a, const Operand& b) { return div(a.beside(b), b.beside(a)); }
inline Tensor pow(const Operand& a, const Operand& b) { return pow(a.beside(b), b.beside(a)); }
inline Tensor maximum(const Operand& a, const Operand& b) { return maximum(a.beside(b), b.beside(a)); }
inline Tensor minimum(const Operand& a, const Operand& b) { return minimum(a.beside(b), b.beside(a)); }
inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Operand& a, const Operand& b) { return add(a.beside(b, "add"), b.beside(a, "add")); }
inline Tensor operator-(const Operand& a, const Operand& b) { return sub(a, b); }
inline Tensor operator*(const Operand& a, const Operand& b) { return mul(a.beside(b, "mul"), b.beside(a, "mul")); }
inline Tensor operator/(const Operand& a, const Operand& b) { return div(a.beside(b, "div"), b.beside(a, "div")); }
inline Tensor operator-(const Tensor& x) { return neg(x); }
// Changes a leaf in place, as in `NoGrad off; p -= lr * p.grad();`. GraphError while recording if either side requires a
// gradient: the tape cannot follow, write a = a + b. ShapeError unless b broadcasts to a's shape; DTypeError for a floating
// b and an i64 a.
Tensor& operator+=(Tensor& a, const Operand& b);
Tensor& operator-=(Tensor& a, const Operand& b);
Tensor& operator*=(Tensor& a, const Operand& b);
Tensor& operator/=(Tensor& a, const Operand& b);

// --- elementary.cpp ---------------------------------------------------------------------------------------
// Element by element, each a [primitive].
Tensor exp(const Tensor& x);    // e^x, from -87.68 to 88.37, in f64 -708.39 to 709.43; soon below it is 0, soon above ∞
Tensor expm1(const Tensor& x);  // e^x - 1, exact near 0; ∞ where exp is
Tensor log(const Tensor& x);    // the natural logarithm
Tensor log1p(const Tensor& x);  // log(1 + x), exact near 0
Tensor sqrt(const Tensor& x);
Tensor sin(const Tensor& x);  // of an angle in radians, as cos
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);            // 1 / (1 + e^-x)
Tensor erf(const Tensor& x);                // 2/√π ∫₀ˣ e^(-t²) dt
Tensor relu(const Tensor& x);               // max(0, x); derivative 0 at 0
Tensor cast(const Tensor& x, DType dtype);  // to i64 toward 0, with a ValueError for NaN, ±∞ and what is beyond ±2⁶³
// f(inputs), in f32 if any of the inputs is f16: these are widened, and the result is rounded once to f16. Other dtypes pass
// as they are.
Tensor in_f32(const Tensors& inputs, const std::function<Tensor(const Tensors&)>& f);

// --- select.cpp: masks and what they choose ---------------------------------------------------------------
// Masks: 1 where a = b, a ≠ b, a < b, a ≤ b, a > b or a ≥ b, element by element, and 0 elsewhere; i64.  [constant]
Tensor eq(const Tensor& a, const Tensor& b);
Tensor ne(const Tensor& a, const Tensor& b);
Tensor lt(const Tensor& a, const Tensor& b);
Tensor le(const Tensor& a, const Tensor& b);
Tensor gt(const Tensor& a, const Tensor& b);
Tensor ge(const Tensor& a, const Tensor& b);
inline Tensor eq(const Operand& a, const Operand& b) { return eq(a.beside(b), b.beside(a)); }
inline Tensor ne(const Operand& a, const Operand& b) { return ne(a.beside(b), b.beside(a)); }
inline Tensor lt(const Operand& a, const Operand& b) { return lt(a.beside(b), b.beside(a)); }
inline Tensor le(const Operand& a, const Operand& b) { return le(a.beside(b), b.beside(a)); }
inline Tensor gt(const Operand& a, const Operand& b) { return gt(a.beside(b), b.beside(a)); }
inline Tensor ge(const Operand& a, const Operand& b) { return ge(a.beside(b), b.beside(a)); }
// The same as operators: a == b is a mask, as in NumPy. equal(a, b), of core/inspect/compare.h, is the one answer to whether they are the same.
inline Tensor operator==(const Operand& a, const Operand& b) { return eq(a, b); }
inline Tensor operator!=(const Operand& a, const Operand& b) { return ne(a, b); }
inline Tensor operator<(const Operand& a, const Operand& b) { return lt(a, b); }
inline Tensor operator<=(const Operand& a, const Operand& b) { return le(a, b); }
inline Tensor operator>(const Operand& a, const Operand& b) { return gt(a, b); }
inline Tensor operator>=(const Operand& a, const Operand& b) { return ge(a, b); }
// Masks: 1 where it is true, 0 elsewhere, i64. An operand counts as true where it is not 0.  [constant]
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& x);
inline Tensor operator&(const Tensor& a, const Tensor& b) { return logical_and(a, b); }
inline Tensor operator|(const Tensor& a, const Tensor& b) { return logical_or(a, b); }
inline Tensor operator~(const Tensor& x) { return logical_not(x); }
// Masks of x: where it is NaN, where it is ±∞, and where it is neither.  [constant]
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
// a where the mask is not 0, b where it is 0. A NaN that is not chosen reaches neither y nor a gradient; but the op that made it
// receives gradient 0, and 0·∞ is NaN: guard its input, as in sqrt(where(p > 0, p, 1)), then choose.  [primitive]
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& mask, const Operand& a, const Operand& b);

// --- reduce.cpp -------------------------------------------------------------------------------------------
// Reductions go over the given axes, or over all if none is given; keepdim leaves them as axes of size 1.

Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdim = false);  // Σ x  [primitive]
// Sums x over the axes along which expand would stretch `shape` to x.shape(): the adjoint of expand. ShapeError unless
// `shape` broadcasts to x.shape().  [primitive]
Tensor sum_to(const Tensor& x, const Shape& shape);
// The largest (min: smallest) element; equal ones share the gradient. ShapeError over no elements.  [primitive]
Tensor max(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
Tensor min(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
// The index along the axis, i64, of the largest (argmin: smallest) element; of equal ones the first.  [constant]
Tensor argmax(const Tensor& x, int axis = -1, bool keepdim = false);
Tensor argmin(const Tensor& x, int axis = -1, bool keepdim = false);
Tensor cumsum(const Tensor& x, int axis);  // y[i] = x[0] + … + x[i] along the axis  [primitive]

// --- matmul.cpp -------------------------------------------------------------------------------------------
// The matrix product a b over the last two axes: [..., n, k] by [..., k, m] is [..., n, m]. The options transpose a or b
// first. Leading axes broadcast. A vector is a row on the left and a column on the right, and the result lacks that axis.
// ShapeError when the inner sizes differ.  [primitive]
struct MatmulOptions {
  bool transpose_a = false;
  bool transpose_b = false;
};
Tensor matmul(const Tensor& a, const Tensor& b, MatmulOptions options = {});

// --- layout.cpp: the same elements elsewhere --------------------------------------------------------------
// The same elements in the same order under another shape, one size of which may be -1: what the others leave. ShapeError
// unless it has as many elements.
Tensor reshape(const Tensor& x, std::initializer_list<int64_t> sizes);  // shares the storage of x  [primitive]
Tensor reshape(const Tensor& x, const std::vector<int64_t>& sizes);
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor clone(const Tensor& x);  // the same values in a storage of its own  [primitive]
// Repeats x along axes of size 1 and new leading axes; a size of -1 stays. ShapeError unless x.shape() broadcasts to `shape`.  [primitive]
Tensor expand(const Tensor& x, std::initializer_list<int64_t> sizes);
Tensor expand(const Tensor& x, const std::vector<int64_t>& sizes);
Tensor expand(const Tensor& x, const Shape& shape);
Tensor permute(const Tensor& x, const std::vector<int>& order);  // y's axis i is x's axis order[i]  [primitive]
Tensor cat(const Tensors& parts, int axis);                      // joined along an axis they have  [primitive]
// Pieces of the given sizes, which must sum to the axis's (ShapeError).  [composite]
Tensors split(const Tensor& x, const std::vector<int64_t>& sizes, int axis);
// x[start:stop:step] along the axis, as in Python: negative positions count from the end, those out of range are cut to it.
// ValueError unless step > 0.
inline constexpr int64_t kToEnd = INT64_MAX;
Tensor slice(const Tensor& x, int axis, int64_t start, int64_t stop = kToEnd, int64_t step = 1);  // [primitive]
Tensor flip(const Tensor& x, const Axes& axes);  // the axes in reverse  [primitive, with slice]
// `value` around x: as many before and after it along each axis as `padding` says. ValueError for a negative number.
using Padding = std::vector<std::pair<int64_t, int64_t>>;               // {before, after} of each axis
Tensor pad(const Tensor& x, const Padding& padding, double value = 0);  // [primitive, the adjoint of slice]

// --- index.cpp --------------------------------------------------------------------------------------------
// Indices are i64, get no gradient, and have to be in range: a ValueError otherwise.

// For a matrix and axis 1, y[i][j] = x[i][indices[i][j]]; likewise for others.  [primitive]
Tensor gather(const Tensor& x, int axis, const Tensor& indices);
// For a matrix and axis 1, x with values[i][j] added at [i][indices[i][j]]; repeated indices add up.  [primitive]
Tensor scatter_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values);
// Whole slices along the axis, `indices` a vector. For axis 0, y[j] = x[indices[j]].  [primitive]
Tensor index_select(const Tensor& x, int axis, const Tensor& indices);
// x with the slices of `values` added at `indices` along the axis; the adjoint of index_select.  [primitive]
Tensor index_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values);
// [..., classes] for indices [...]: 1 at the index, 0 elsewhere.  [constant]
Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype = DType::f32);
// The indices along an axis, i64, that sort x; stable; NaN counts as the largest.  [constant]
Tensor argsort(const Tensor& x, int axis = -1, bool descending = false);

}  // namespace gradus
