// What ops ask of their arguments before they begin, so that an error names the op that was called. Each check begins with
// check_defined.
#pragma once

#include <array>

#include "core/tensor/tensor.h"

namespace gradus {

// DTypeError for i64; of two, if both are.
inline void check_floating(const Tensor& x, OpName op = {}) {
  check_defined({{"x", x}}, op);
  check<DTypeError>(is_floating(x.dtype()), "{}: needs a floating dtype, got {}; use cast(x, DType::f32) first", op, x.dtype());
}
inline void check_floating(const Tensor& a, const Tensor& b, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  check<DTypeError>(is_floating(a.dtype()) || is_floating(b.dtype()),
                    "{}: needs a floating dtype, got {} and {}; use cast(x, DType::f32) first", op, a.dtype(), b.dtype());
}

// Are these computed in f32? Yes for two f16 tensors, and for one beside a number, which is kept in f32.
inline bool computes_in_f32(const Tensor& a, const Tensor& b) {
  const auto number = [](const Tensor& x) { return x.dtype() == DType::f32 && x.rank() == 0 && !x.requires_grad(); };
  const bool f16_a = a.dtype() == DType::f16, f16_b = b.dtype() == DType::f16;
  return (f16_a && (f16_b || number(b))) || (f16_b && number(a));
}

// For an elementwise op: DTypeError unless they have a dtype in common, ShapeError unless they broadcast.
inline void check_operands(const Tensor& a, const Tensor& b, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  if (a.dtype() != b.dtype() && !computes_in_f32(a, b)) common_dtype(std::array{a, b}, op);
  if (a.shape() != b.shape()) broadcast_shapes(a.shape(), b.shape(), op).numel(op);
}

// For where and masked_fill: DTypeError unless the mask is i64.
inline void check_choice(const Tensor& mask, const Tensor& a, const Tensor& b, OpName op = {}) {
  check_defined({{"mask", mask}, {"a", a}, {"b", b}}, op);
  check<DTypeError>(mask.dtype() == DType::i64, "{}: the mask must be i64, got {}", op, mask.dtype());
}

// DTypeError unless i64, ValueError for one that is negative or not below the bound.
inline void check_indices(const Tensor& indices, int64_t bound, OpName op = {}) {
  check_defined({{"indices", indices}}, op);
  check<DTypeError>(indices.dtype() == DType::i64, "{}: indices must be i64, got {}; use cast(indices, DType::i64)", op, indices.dtype());
  const int64_t* id = indices.data<int64_t>();
  for (int64_t i = 0; i < indices.numel(); ++i) {
    check<ValueError>(id[i] >= 0 && id[i] < bound, "{}: id {} is out of range; expected 0 … {}", op, id[i], bound - 1);
  }
}

}  // namespace gradus
