// The three ops that reverse mode itself needs: gradients that meet are added, and a gradient that comes back
// through a broadcast is summed over the axes it was stretched along.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus {

// y = a + b, broadcast        dL/da = dL/dy        dL/db = dL/dy
Tensor add(const Tensor& a, const Tensor& b);

// Repeats x along axes of size 1 and new leading axes. The adjoint of sum_to.
// ShapeError unless x.shape() broadcasts to `shape`.
Tensor expand(const Tensor& x, const Shape& shape);

// Sums x over the axes that `shape`, broadcast to x.shape(), is stretched along. The adjoint of expand.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace gradus
