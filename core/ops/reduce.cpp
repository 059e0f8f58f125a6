#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

// The axes, normalized, along which x has an extreme.
Axes axes_of_extreme(const Axes& given, const Tensor& x, OpName op) {
  const Axes axes = normalize_axes(given, x, op);
  check<ShapeError>(count_along(x.shape(), axes) > 0, "{}: cannot reduce zero elements (x has shape {})", op, x.shape());
  return axes;
}

}  // namespace

// #region op-sum
// y = Σ x      dL/dx = dL/dy, repeated along the summed axes
Tensor sum(const Tensor& x, const Axes& given, bool keepdim) {
  const Axes axes = normalize_axes(given, x);
  const Tensor y = kernels::sum(x, axes);
  return record("sum", y.detach(reduced_shape(y.shape(), axes, keepdim)), {x},
                [kept = y.shape()](const Step& step) { return expand(reshape(step.grad, kept), step.shape(0)); });
}
// #endregion op-sum

Tensor Tensor::sum(const Axes& axes, bool keepdim) const { return gradus::sum(*this, axes, keepdim); }

// #region inside-sum-to
// y = Σ x over the stretched axes      dL/dx = dL/dy, repeated along them
Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (shape_of(x) == shape) return x;
  check<ShapeError>(broadcasts_to(shape, x.shape()), "sum_to: shape {} does not broadcast to {}", shape, x.shape());
  const int added = x.rank() - shape.rank();
  Axes stretched;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < added || shape[axis - added] != x.size(axis)) stretched.push_back(axis);
  }
  return record("sum_to", kernels::sum(x, stretched).detach(shape), {x}, [](const Step& step) { return expand(step.grad, step.shape(0)); });
}
// #endregion inside-sum-to

namespace {

// y = max x or min x      dL/dx = 0 where x is `beaten` by y, else dL/dy, shared equally
Tensor extreme(const char* op, const Tensor& x, const Axes& given, bool keepdim, Tensor (*kernel)(const Tensor&, const Axes&),
               Tensor (*beaten)(const Tensor&, const Tensor&)) {
  const Axes axes = axes_of_extreme(given, x, op);
  const Tensor y = kernel(x, axes);
  return record(op, y.detach(reduced_shape(y.shape(), axes, keepdim)), {x}, [kept = y.shape(), axes, beaten](const Step& step) {
    const Tensor chosen = logical_not(beaten(step.input(0), reshape(step.output(), kept))), count = sum(chosen, axes, true);
    return in_f32({step.grad}, [&](const Tensors& in) { return reshape(in[0], kept) / count * chosen; });
  });
}

Tensor index_of_extreme(const Tensor& x, int axis, bool keepdim, Tensor (*kernel)(const Tensor&, int), OpName op = {}) {
  const Axes axes = axes_of_extreme(axis, x, op);
  return constant(kernel(x, axes[0]).detach(reduced_shape(x.shape(), axes, keepdim)), {x}, op);
}

}  // namespace

Tensor max(const Tensor& x, const Axes& axes, bool keepdim) { return extreme("max", x, axes, keepdim, kernels::max, lt); }
Tensor min(const Tensor& x, const Axes& axes, bool keepdim) { return extreme("min", x, axes, keepdim, kernels::min, gt); }
Tensor argmax(const Tensor& x, int axis, bool keepdim) { return index_of_extreme(x, axis, keepdim, kernels::argmax); }
Tensor argmin(const Tensor& x, int axis, bool keepdim) { return index_of_extreme(x, axis, keepdim, kernels::argmin); }

// y_i = Σ_{j ≤ i} x_j      dL/dx_j = Σ_{i ≥ j} dL/dy_i: the same sum from the other end
Tensor cumsum(const Tensor& x, int given) {
  const int axis = normalize_axis(given, x);
  return record("cumsum", kernels::cumsum(x, axis), {x},
                [axis](const Step& step) { return flip(cumsum(flip(step.grad, axis), axis), axis); });
}

}  // namespace gradus
