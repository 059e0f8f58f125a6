#include <algorithm>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {

Tensor eq(const Tensor& a, const Tensor& b) { return constant(kernels::eq(a, b), {a, b}); }
Tensor ne(const Tensor& a, const Tensor& b) {
  kernels::check_operands(a, b);
  return constant(kernels::logical_not(kernels::eq(a, b)), {a, b});
}
Tensor lt(const Tensor& a, const Tensor& b) { return constant(kernels::lt(a, b), {a, b}); }
Tensor le(const Tensor& a, const Tensor& b) { return constant(kernels::le(a, b), {a, b}); }
Tensor gt(const Tensor& a, const Tensor& b) {
  kernels::check_operands(a, b);
  return constant(kernels::lt(b, a), {a, b});
}
Tensor ge(const Tensor& a, const Tensor& b) {
  kernels::check_operands(a, b);
  return constant(kernels::le(b, a), {a, b});
}

Tensor logical_and(const Tensor& a, const Tensor& b) { return constant(kernels::logical_and(a, b), {a, b}); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return constant(kernels::logical_or(a, b), {a, b}); }
Tensor logical_not(const Tensor& x) { return constant(kernels::logical_not(x), {x}); }
Tensor isnan(const Tensor& x) { return constant(kernels::isnan(x), {x}); }
Tensor isinf(const Tensor& x) { return constant(kernels::isinf(x), {x}); }
Tensor isfinite(const Tensor& x) {
  check_defined({{"x", x}});
  return logical_not(logical_or(isnan(x), isinf(x)));
}

// y = mask ? a : b      dL/da = mask ? dL/dy : 0      dL/db = mask ? 0 : dL/dy
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b) {
  return record("where", kernels::where(mask, a, b), {mask, a, b}, nullptr,
                [](const Step& step) { return where(step.input(0), step.grad, scalar_like(step.grad, 0)); },   // dL/da
                [](const Step& step) { return where(step.input(0), scalar_like(step.grad, 0), step.grad); });  // dL/db
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value) {
  check_defined({{"x", x}});
  const Tensor filling = scalar_like(x, value, "masked_fill");
  kernels::check_choice(mask, filling, x);
  if (mask.shape() != x.shape()) broadcast_shapes(mask.shape(), x.shape());
  return where(mask, filling, x);
}

namespace {

// x of [..., T, S], with 0 where the column [1, S] is `beyond` the one in which the diagonal crosses the row [T, 1].
Tensor zero_beyond(const char* op, const Tensor& x, Tensor (*beyond)(const Tensor&, const Tensor&), int64_t diagonal) {
  check_defined({{"x", x}}, op);
  check<ShapeError>(x.rank() >= 2, "{}: needs a matrix, got shape {}", op, x.shape());
  if (x.numel() == 0) return x;
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const Tensor crossing = unsqueeze(arange(rows), 1) + std::clamp(diagonal, -rows, columns);
  return masked_fill(x, beyond(unsqueeze(arange(columns), 0), crossing), 0);
}

}  // namespace

Tensor tril(const Tensor& x, int64_t diagonal) { return zero_beyond("tril", x, gt, diagonal); }
Tensor triu(const Tensor& x, int64_t diagonal) { return zero_beyond("triu", x, lt, diagonal); }

}  // namespace gradus
