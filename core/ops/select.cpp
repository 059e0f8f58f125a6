#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {

Tensor eq(const Tensor& a, const Tensor& b) { return constant(kernels::eq(a, b), {a, b}); }
Tensor ne(const Tensor& a, const Tensor& b) { return constant(kernels::ne(a, b), {a, b}); }
Tensor lt(const Tensor& a, const Tensor& b) { return constant(kernels::lt(a, b), {a, b}); }
Tensor le(const Tensor& a, const Tensor& b) { return constant(kernels::le(a, b), {a, b}); }
Tensor gt(const Tensor& a, const Tensor& b) { return constant(kernels::gt(a, b), {a, b}); }
Tensor ge(const Tensor& a, const Tensor& b) { return constant(kernels::ge(a, b), {a, b}); }

Tensor logical_and(const Tensor& a, const Tensor& b) { return constant(kernels::logical_and(a, b), {a, b}); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return constant(kernels::logical_or(a, b), {a, b}); }
Tensor logical_not(const Tensor& x) { return constant(kernels::logical_not(x), {x}); }
Tensor isnan(const Tensor& x) { return constant(kernels::isnan(x), {x}); }
Tensor isinf(const Tensor& x) { return constant(kernels::isinf(x), {x}); }
Tensor isfinite(const Tensor& x) { return constant(kernels::isfinite(x), {x}); }

// y = mask ? a : b      dL/da = mask ? dL/dy : 0      dL/db = mask ? 0 : dL/dy
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b) {
  return record(
      "where", kernels::where(mask, a, b), {mask, a, b}, nullptr,
      [](const Step& step) { return where(step.input(0), step.grad, 0); },   // dL/da
      [](const Step& step) { return where(step.input(0), 0, step.grad); });  // dL/db
}

Tensor where(const Tensor& mask, const Operand& a, const Operand& b) {
  const Tensor x = a.beside(b), y = b.beside(a);
  return where(mask, a.is_number ? cast(x, y.dtype()) : x, b.is_number ? cast(y, x.dtype()) : y);
}

}  // namespace gradus
