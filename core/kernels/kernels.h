// Kernels: loops over raw memory. They take and give tensors but know nothing of the tape.
// Shapes are checked by the ops above, or where broadcasting makes it natural, here.
#pragma once

#include "core/kernels/check_operands.h"

namespace gradus::kernels {

// elementwise.cpp — one operand
Tensor neg(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);  // -1, 0 or 1; NaN stays NaN
Tensor relu(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor cast(const Tensor& x, DType dtype);
Tensor wide(const Tensor& x);  // an f16 x in f32, another as it is

// elementwise.cpp — two operands, broadcast
Tensor add(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor pow(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);  // NaN if either is
Tensor minimum(const Tensor& a, const Tensor& b);
void add_into(Tensor& sum, const Tensor& x);  // sum += x, same shape and dtype

// elementwise.cpp — masks, which are i64 zeros and ones, and what they choose
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
Tensor logical_not(const Tensor& x);
Tensor eq(const Tensor& a, const Tensor& b);
Tensor ne(const Tensor& a, const Tensor& b);
Tensor lt(const Tensor& a, const Tensor& b);
Tensor le(const Tensor& a, const Tensor& b);
Tensor gt(const Tensor& a, const Tensor& b);
Tensor ge(const Tensor& a, const Tensor& b);
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b);

// reduce_kernel.cpp — over sorted axes, which stay as axes of size 1
Tensor sum(const Tensor& x, const Axes& axes);
Tensor max(const Tensor& x, const Axes& axes);  // NaN if any is
Tensor min(const Tensor& x, const Axes& axes);
Tensor argmax(const Tensor& x, int axis);  // the first of equals; i64
Tensor argmin(const Tensor& x, int axis);
Tensor cumsum(const Tensor& x, int axis);
Tensor argsort(const Tensor& x, int axis, bool descending);  // stable; i64

// layout_kernel.cpp — moving elements
Tensor zeroed(const Shape& shape, DType dtype, OpName op = "zeros");  // to be written to, by all threads
Tensor expand(const Tensor& x, const Shape& shape);
Tensor permute(const Tensor& x, const std::vector<int>& order);
// y[i] = x[start + i·step] along every axis; steps may be negative.
Tensor strided_slice(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps);
// The adjoint: zeros of `shape` with x written at start + i·step.
Tensor strided_scatter(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps);
Tensor cat(const Tensors& parts, int axis);

// index_kernel.cpp — indices are i64 and checked to be in range (ValueError naming `op`)
Tensor gather(const Tensor& x, int axis, const Tensor& indices);
Tensor scatter_add(const Tensor& x, const Shape& shape, int axis, const Tensor& indices);
Tensor index_select(const Tensor& x, int axis, const Tensor& indices);
void index_add_into(Tensor& y, int axis, const Tensor& indices, const Tensor& x);  // y[indices[j]] += x[j] along axis
Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype);

// matmul_kernel.cpp — y = op(a) op(b), op transposing the last two axes or not, over broadcast leading axes
Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b);

}  // namespace gradus::kernels
