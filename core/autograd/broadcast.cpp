#include "core/autograd/broadcast.h"

#include "core/autograd/record.h"
#include "core/kernels/kernels.h"

namespace gradus {

Tensor add(const Tensor& a, const Tensor& b) {
  return record("add", kernels::add(a, b), {a, b},
                [](const Step& s) { return s.grad; },   // dL/da
                [](const Step& s) { return s.grad; });  // dL/db
}

// y[… i …] = x[… 0 …]      dL/dx = Σ dL/dy over the stretched axes
Tensor expand(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  check<ShapeError>(broadcasts_to(x.shape(), shape), "expand: shape {} does not broadcast to {}", x.shape(), shape);
  return record("expand", kernels::expand(x, shape), {x},
                [](const Step& s) { return sum_to(s.grad, s.shape(0)); });
}

// y = Σ x over the stretched axes      dL/dx = dL/dy, repeated along them
Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  check<ShapeError>(broadcasts_to(shape, x.shape()), "sum_to: shape {} does not broadcast to {}", shape, x.shape());
  const int added = x.rank() - shape.rank();
  Axes stretched;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < added || shape[axis - added] != x.size(axis)) stretched.push_back(axis);
  }
  return record("sum_to", kernels::sum(x, stretched).view(shape), {x},
                [](const Step& s) { return expand(s.grad, s.shape(0)); });
}

}  // namespace gradus
