#include <algorithm>

#include "core/tape/record.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace gradus {

Tensor eq(const Tensor& a, const Tensor& b) { return kernels::equal(a, b); }
Tensor ne(const Tensor& a, const Tensor& b) { return kernels::logical_not(kernels::equal(a, b)); }
Tensor lt(const Tensor& a, const Tensor& b) { return kernels::less(a, b); }
Tensor le(const Tensor& a, const Tensor& b) { return kernels::less_equal(a, b); }
Tensor gt(const Tensor& a, const Tensor& b) {
  broadcast_shapes("gt", a.shape(), b.shape());
  return kernels::less(b, a);
}
Tensor ge(const Tensor& a, const Tensor& b) {
  broadcast_shapes("ge", a.shape(), b.shape());
  return kernels::less_equal(b, a);
}

Tensor logical_and(const Tensor& a, const Tensor& b) { return kernels::logical_and(a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return kernels::logical_or(a, b); }
Tensor logical_not(const Tensor& x) { return kernels::logical_not(x); }
Tensor isnan(const Tensor& x) { return kernels::isnan(x); }
Tensor isinf(const Tensor& x) { return kernels::isinf(x); }
Tensor isfinite(const Tensor& x) { return logical_not(logical_or(isnan(x), isinf(x))); }

// y = mask ? a : b      dL/da = mask ? dL/dy : 0      dL/db = mask ? 0 : dL/dy
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b) {
  return record("where", kernels::where(mask, a, b), {mask, a, b}, nullptr,
                [](const Backward& s) { return where(s.input(0), s.grad, scalar_like(s.grad, 0)); },   // dL/da
                [](const Backward& s) { return where(s.input(0), scalar_like(s.grad, 0), s.grad); });  // dL/db
}

Tensor eye(int64_t n, int64_t m, DType dtype) {
  check<ShapeError>(n >= 0 && m >= -1, "eye: the sizes must not be negative, got {} and {}", n, m);
  return cast(eq(unsqueeze(arange(n), 1), arange(m == -1 ? n : m)), dtype);
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value) { return where(mask, scalar_like(x, value), x); }

namespace {

// The columns [1, S] of the last two axes [T, S], and the one where the diagonal crosses each row [T, 1].
std::pair<Tensor, Tensor> columns_and_crossings(const char* op, const Tensor& x, int64_t diagonal) {
  check<ShapeError>(x.rank() >= 2, "{}: needs a matrix, got shape {}", op, x.shape());
  const int64_t rows = x.size(-2), columns = x.size(-1);
  return {unsqueeze(arange(columns), 0), unsqueeze(arange(rows), 1) + std::clamp(diagonal, -rows, columns)};
}

}  // namespace

Tensor tril(const Tensor& x, int64_t diagonal) {
  const auto [column, crossing] = columns_and_crossings("tril", x, diagonal);
  return masked_fill(x, column > crossing, 0);
}

Tensor triu(const Tensor& x, int64_t diagonal) {
  const auto [column, crossing] = columns_and_crossings("triu", x, diagonal);
  return masked_fill(x, column < crossing, 0);
}

}  // namespace gradus
