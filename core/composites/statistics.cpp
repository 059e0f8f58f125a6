#include <algorithm>

#include "core/composites/composites.h"
#include "core/kernels/check_operands.h"
#include "core/options/range.h"

namespace gradus {
namespace {

bool is_wide(const Tensor& x) { return x.dtype() == DType::f32 || x.dtype() == DType::f64; }

// f(x), an f16 x computed in f32 and an i64 x in f64, with an f32 result.
Tensor in_wide(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  if (x.dtype() == DType::i64) return cast(f(cast(x, DType::f64)), DType::f32);
  return in_f32({x}, [&](const Tensors& in) { return f(in[0]); });
}

}  // namespace

// f16 is too narrow for counts and squares, i64 for sums, and f32 for i64.
Tensor mean(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  if (!is_wide(x)) return in_wide(x, [&](const Tensor& wide) { return mean(wide, axes, keepdim); });
  return sum(x, axes, keepdim) / count_along(x.shape(), axes);
}

// μ is rounded, so all deviations are off by one shift, which far from 0 may be larger than they are. Their mean is that shift.
Tensor centered(const Tensor& x, const Axes& given) {
  const Axes axes = normalize_axes(given, x);
  if (!is_wide(x)) return in_wide(x, [&](const Tensor& wide) { return centered(wide, axes); });
  const Tensor shifted = x - mean(x, axes, true);
  return shifted - mean(shifted, axes, true);
}

Tensor var(const Tensor& x, const Axes& given, double correction, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  check_range("the correction", correction, range::finite);
  if (!is_wide(x)) return in_wide(x, [&](const Tensor& wide) { return var(wide, axes, correction, keepdim); });
  const double degrees = static_cast<double>(count_along(x.shape(), axes)) - correction;
  return sum(square(centered(x, axes)), axes, keepdim) / std::max(degrees, 0.0);
}

Tensor stddev(const Tensor& x, const Axes& given, double correction, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  check_range("the correction", correction, range::finite);
  if (!is_wide(x)) return in_wide(x, [&](const Tensor& wide) { return stddev(wide, axes, correction, keepdim); });
  return sqrt(var(x, axes, correction, keepdim));
}

namespace {

// x with these axes merged into one, the last.
Tensor merged_last(const Tensor& x, const Axes& axes) {
  std::vector<int> order;
  Shape kept;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    order.push_back(axis);
    kept.push_back(x.size(axis));
  }
  order.insert(order.end(), axes.begin(), axes.end());
  return reshape(permute(x, order), kept.concat({count_along(x.shape(), axes)}));
}

}  // namespace

// Halves are multiplied until one element is left: no division by x, so zeros are no special case.
Tensor prod(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  if (x.dtype() == DType::f16) return in_f32({x}, [&](const Tensors& in) { return prod(in[0], axes, keepdim); });
  Tensor y = merged_last(x, axes);
  if (y.size(-1) == 0) y = sum(y, -1, true) + 1;  // no factors
  while (y.size(-1) > 1) {
    const int64_t half = y.size(-1) / 2;
    const Tensor product = slice(y, -1, 0, half) * slice(y, -1, half, 2 * half);
    y = y.size(-1) % 2 == 0 ? product : cat({product, slice(y, -1, 2 * half)}, -1);
  }
  return reshape(y, reduced_shape(x.shape(), axes, keepdim));
}

// log Σ e^x = m + log Σ e^(x-m) with m = max x: no term overflows. An infinite m is replaced by 0, so that
// -∞ everywhere, or nothing at all, gives -∞, not NaN.
Tensor logsumexp(const Tensor& x, const Axes& given, bool keepdim) {
  check_floating(x);
  const Axes axes = normalize_axes(given, x);
  if (x.dtype() == DType::f16) return in_f32({x}, [&](const Tensors& in) { return logsumexp(in[0], axes, keepdim); });
  if (x.numel() == 0) return log(sum(x, axes, keepdim));  // a sum of nothing
  const Tensor largest = max(x.detach(), axes, true);
  const Tensor shift = where(isfinite(largest), largest, 0);
  const Tensor y = log(sum(exp(x - shift), axes, true)) + shift;
  return reshape(y, reduced_shape(x.shape(), axes, keepdim));
}

// √Σ x², where a sum of 0 is replaced by 1 before the root and by 0 after it: the root's derivative there is infinite.
Tensor norm(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  if (!is_wide(x)) return in_wide(x, [&](const Tensor& wide) { return norm(wide, axes, keepdim); });
  const Tensor squared = sum(square(x), axes, keepdim), zero = squared == 0;
  return where(zero, 0, sqrt(where(zero, 1, squared)));
}

// y_i = x_0 … x_i: after each round, y_i is the product of twice as many factors, the last of which is x_i.
Tensor cumprod(const Tensor& x, int given) {
  const int axis = normalize_axis(given, x);
  if (x.dtype() == DType::f16) return in_f32({x}, [&](const Tensors& in) { return cumprod(in[0], axis); });
  Tensor y = x;
  for (int64_t factors = 1; factors < x.size(axis); factors *= 2) {
    y = cat({slice(y, axis, 0, factors), slice(y, axis, factors) * slice(y, axis, 0, -factors)}, axis);
  }
  return y;
}

Tensor median(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  const int64_t n = count_along(x.shape(), axes);
  check<ShapeError>(n > 0, "median: of no elements (x has shape {})", x.shape());
  const Tensor sorted = sort(merged_last(x, axes)).values;
  return reshape(mean(slice(sorted, -1, (n - 1) / 2, n / 2 + 1), -1), reduced_shape(x.shape(), axes, keepdim));
}

Tensor Tensor::mean(const Axes& axes, bool keepdim) const { return gradus::mean(*this, axes, keepdim); }
Tensor Tensor::stddev(const Axes& axes, double correction, bool keepdim) const { return gradus::stddev(*this, axes, correction, keepdim); }

Tensor any(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  return sum(x != 0, axes, keepdim) > 0;
}

Tensor all(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  return any(x == 0, axes, keepdim) == 0;
}

}  // namespace gradus
