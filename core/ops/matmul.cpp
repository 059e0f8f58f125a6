#include <algorithm>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

// #region op-matmul
// y = a b      dL/da = dL/dy bᵀ      dL/db = aᵀ dL/dy      and with G = dL/dy, where a factor is transposed:
//     aᵀ b: dL/da = b Gᵀ, dL/db = a G      a bᵀ: G b, Gᵀ a      aᵀ bᵀ: bᵀ Gᵀ, Gᵀ aᵀ
Tensor product(const Tensor& a, const Tensor& b, MatmulOptions options) {
  const bool ta = options.transpose_a, tb = options.transpose_b;
  return record(
      "matmul", kernels::matmul(a, b, ta, tb), {a, b},
      [ta, tb](const Step& step) {  // dL/dA
        return ta ? product(step.input(1), step.grad, {tb, true}) : product(step.grad, step.input(1), {false, !tb});
      },
      [ta, tb](const Step& step) {  // dL/dB
        return tb ? product(step.grad, step.input(0), {true, ta}) : product(step.input(0), step.grad, {!ta, false});
      });
}
// #endregion op-matmul

// y without an axis of size 1.
Tensor without(int axis, const Tensor& y) {
  Shape shape = y.shape();
  shape.erase(axis);
  return reshape(y, shape);
}

// k of both, and the axes along which matrices are matched, in the shapes that the caller gave; the kernel sees others.
void check_factors(const Tensor& a, const Tensor& b, MatmulOptions options, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  check<ShapeError>(a.rank() > 0 && b.rank() > 0, "{}: needs vectors or matrices, got shapes {} and {}", op, a.shape(), b.shape());
  const int64_t of_a = a.rank() == 1 ? a.size(0) : a.size(options.transpose_a ? -2 : -1);
  const int64_t of_b = b.rank() == 1 ? b.size(0) : b.size(options.transpose_b ? -1 : -2);
  check<ShapeError>(of_a == of_b, "matmul: inner dimensions differ: {}{} @ {}{} ({} against {})", a.shape(), options.transpose_a ? "ᵀ" : "",
                    b.shape(), options.transpose_b ? "ᵀ" : "", of_a, of_b);
  for (int axis = -3; axis >= -std::min(a.rank(), b.rank()); --axis) {
    const int64_t n = a.size(axis), m = b.size(axis);
    check<ShapeError>(n == m || n == 1 || m == 1,
                      "matmul: the axes before the last two do not broadcast: {} @ {} ({} against {}; sizes must be equal or 1)", a.shape(),
                      b.shape(), n, m);
  }
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, MatmulOptions options) {
  check_factors(a, b, options);
  if (a.rank() == 1) return without(b.rank() == 1 ? -1 : -2, matmul(reshape(a, Shape{1, a.numel()}), b, {false, options.transpose_b}));
  if (b.rank() == 1) return without(-1, matmul(a, reshape(b, Shape{b.numel(), 1}), {options.transpose_a, false}));
  // A batch of matrices times one matrix is one tall product: [B, T, k] @ [k, n] = [B·T, k] @ [k, n].
  if (a.rank() > 2 && b.rank() == 2 && !options.transpose_a) {
    const Shape leading = a.shape().slice(0, a.rank() - 1);
    const Tensor tall = product(reshape(a, Shape{leading.numel(), a.size(-1)}), b, options);
    return reshape(tall, leading.concat({tall.size(-1)}));
  }
  return product(a, b, options);
}

}  // namespace gradus
