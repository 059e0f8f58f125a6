#include <algorithm>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/options/range.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

int64_t count_along(const Tensor& x, const Axes& axes) {
  int64_t count = 1;
  for (int axis : axes) count *= x.size(axis);
  return count;
}

bool is_narrow(const Tensor& x) { return x.dtype() == DType::f16 || x.dtype() == DType::i64; }

// f(x), an f16 x computed in f32 and an i64 x in f64, with an f32 result.
Tensor widely(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  if (x.dtype() == DType::i64) return cast(f(cast(x, DType::f64)), DType::f32);
  return in_f32({x}, [&](const Tensors& in) { return f(in[0]); });
}

void check_not_empty(const Tensor& x, const Axes& axes, OpName op = {}) {
  check<ShapeError>(count_along(x, axes) > 0, "{}: cannot reduce zero elements (x has shape {})", op, x.shape());
}

}  // namespace

// #region op-sum
// y = Σ x      dL/dx = dL/dy, repeated along the summed axes
Tensor sum(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  const Tensor y = kernels::sum(x, axes);
  return record("sum", y.detach(reduced_shape(y.shape(), axes, keepdim)), {x}, [kept = y.shape()](const Step& step) {
    return expand(reshape(step.grad, kept), step.shape(0));
  });
}
// #endregion op-sum

// #region inside-sum-to
// y = Σ x over the stretched axes      dL/dx = dL/dy, repeated along them
Tensor sum_to(const Tensor& x, const Shape& shape) {
  check_defined({{"x", x}});
  if (x.shape() == shape) return x;
  check<ShapeError>(broadcasts_to(shape, x.shape()), "sum_to: shape {} does not broadcast to {}", shape, x.shape());
  const int added = x.rank() - shape.rank();
  Axes stretched;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < added || shape[axis - added] != x.size(axis)) stretched.push_back(axis);
  }
  return record("sum_to", kernels::sum(x, stretched).detach(shape), {x},
                [](const Step& step) { return expand(step.grad, step.shape(0)); });
}
// #endregion inside-sum-to

// f16 is too narrow for counts and squares, i64 for sums, and f32 for i64.
Tensor mean(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  if (is_narrow(x)) return widely(x, [&](const Tensor& wide) { return mean(wide, axes, keepdim); });
  return sum(x, axes, keepdim) / count_along(x, axes);
}

// μ is rounded, so all deviations are off by one shift, which far from 0 may be larger than they are. Their mean is that shift.
Tensor centered(const Tensor& x, const Axes& given) {
  const Axes axes = normalize_axes(given, x);
  if (is_narrow(x)) return widely(x, [&](const Tensor& wide) { return centered(wide, axes); });
  const Tensor shifted = x - mean(x, axes, true);
  return shifted - mean(shifted, axes, true);
}

Tensor var(const Tensor& x, const Axes& given, double correction, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  check_range("the correction", correction, range::finite);
  if (is_narrow(x)) return widely(x, [&](const Tensor& wide) { return var(wide, axes, correction, keepdim); });
  const double degrees = static_cast<double>(count_along(x, axes)) - correction;
  return sum(square(centered(x, axes)), axes, keepdim) / std::max(degrees, 0.0);
}

Tensor std(const Tensor& x, const Axes& given, double correction, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  check_range("the correction", correction, range::finite);
  if (is_narrow(x)) return widely(x, [&](const Tensor& wide) { return std(wide, axes, correction, keepdim); });
  return sqrt(var(x, axes, correction, keepdim));
}

// Halves are multiplied until one element is left: no division by x, so zeros are no special case.
Tensor prod(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  if (x.dtype() == DType::f16) return in_f32({x}, [&](const Tensors& in) { return prod(in[0], axes, keepdim); });
  std::vector<int> order;
  Shape kept;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    order.push_back(axis);
    kept.push_back(x.size(axis));
  }
  order.insert(order.end(), axes.begin(), axes.end());
  Tensor y = reshape(permute(x, order), kept.concat({count_along(x, axes)}));
  if (y.size(-1) == 0) y = sum(y, -1, true) + 1;  // no factors
  while (y.size(-1) > 1) {
    const int64_t half = y.size(-1) / 2;
    const Tensor product = slice(y, -1, 0, half) * slice(y, -1, half, 2 * half);
    y = y.size(-1) % 2 == 0 ? product : cat({product, slice(y, -1, 2 * half)}, -1);
  }
  return reshape(y, reduced_shape(x.shape(), axes, keepdim));
}

namespace {

// y = max x or min x      dL/dx = 0 where x is `beaten` by y, else dL/dy, shared equally
Tensor extreme(const char* op, const Tensor& x, const Axes& given, bool keepdim,
               Tensor (*kernel)(const Tensor&, const Axes&), Tensor (*beaten)(const Tensor&, const Tensor&)) {
  const Axes axes = normalize_axes(given, x, op);
  check_not_empty(x, axes, op);
  const Tensor y = kernel(x, axes);
  return record(op, y.detach(reduced_shape(y.shape(), axes, keepdim)), {x}, [kept = y.shape(), axes, beaten](const Step& step) {
    const Tensor chosen = logical_not(beaten(step.input(0), reshape(step.output(), kept))), count = sum(chosen, axes, true);
    return in_f32({step.grad}, [&](const Tensors& in) { return reshape(in[0], kept) / count * chosen; });
  });
}

Tensor index_of_extreme(const Tensor& x, int axis, bool keepdim, Tensor (*kernel)(const Tensor&, int), OpName op = {}) {
  const Axes axes = normalize_axes(axis, x, op);
  check_not_empty(x, axes, op);
  return constant(kernel(x, axes[0]).detach(reduced_shape(x.shape(), axes, keepdim)), {x}, op);
}

}  // namespace

Tensor max(const Tensor& x, const Axes& axes, bool keepdim) { return extreme("max", x, axes, keepdim, kernels::max, lt); }
Tensor min(const Tensor& x, const Axes& axes, bool keepdim) { return extreme("min", x, axes, keepdim, kernels::min, gt); }
Tensor argmax(const Tensor& x, int axis, bool keepdim) { return index_of_extreme(x, axis, keepdim, kernels::argmax); }
Tensor argmin(const Tensor& x, int axis, bool keepdim) { return index_of_extreme(x, axis, keepdim, kernels::argmin); }

// log Σ e^x = m + log Σ e^(x-m) with m = max x: no term overflows. An infinite m is replaced by 0, so that
// -∞ everywhere, or nothing at all, gives -∞, not NaN.
Tensor logsumexp(const Tensor& x, const Axes& given, bool keepdim) {
  kernels::check_floating(x);
  const Axes axes = normalize_axes(given, x);
  if (x.dtype() == DType::f16) return in_f32({x}, [&](const Tensors& in) { return logsumexp(in[0], axes, keepdim); });
  const Tensor largest = kernels::max(x, axes);
  const Tensor shift = where(isfinite(largest), largest, scalar_like(largest, 0));
  const Tensor y = log(sum(exp(x - shift), axes, true)) + shift;
  return reshape(y, reduced_shape(x.shape(), axes, keepdim));
}

// y_i = Σ_{j ≤ i} x_j      dL/dx_j = Σ_{i ≥ j} dL/dy_i: the same sum from the other end
Tensor cumsum(const Tensor& x, int given) {
  const int axis = normalize_axis(given, x);
  return record("cumsum", kernels::cumsum(x, axis), {x},
                [axis](const Step& step) { return flip(cumsum(flip(step.grad, axis), axis), axis); });
}

}  // namespace gradus
