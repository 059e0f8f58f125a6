#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

// y = zeros of `shape`; y[i][indices[i][j]] += x[i][j]      dL/dx = dL/dy, gathered
Tensor scatter(const Tensor& x, const Shape& shape, int axis, const Tensor& indices) {
  return record("scatter_add", kernels::scatter_add(x, shape, axis, indices), {x, indices},
                [axis](const Step& step) { return gather(step.grad, axis, step.input(1)); });
}

// y = zeros of `shape`; y[indices[j]] += x[j] along `axis`      dL/dx = dL/dy at the indices
Tensor index_scatter(const Tensor& x, const Shape& shape, int axis, const Tensor& indices) {
  Tensor y = kernels::zeroed(shape, x.dtype(), "index_add");
  kernels::index_add_into(y, axis, indices, x);
  return record("index_add", y, {x, indices}, [axis](const Step& step) { return index_select(step.grad, axis, step.input(1)); });
}

// x + scattered(values)
Tensor plus_scattered(const Tensor& x, int axis, const Tensor& indices, const Tensor& values,
                      Tensor (*scattered)(const Tensor&, const Shape&, int, const Tensor&), OpName op = {}) {
  check_defined({{"x", x}, {"indices", indices}, {"values", values}}, op);
  common_dtype(std::array{x, values}, op);
  return x + scattered(values, x.shape(), normalize_axis(axis, x, op), indices);
}

}  // namespace

// y[i][j] = x[i][indices[i][j]]      dL/dx = dL/dy, scattered back; repeated indices add up
Tensor gather(const Tensor& x, int given, const Tensor& indices) {
  check_defined({{"x", x}, {"indices", indices}});
  const int axis = normalize_axis(given, x);
  return record("gather", kernels::gather(x, axis, indices), {x, indices},
                [axis](const Step& step) { return scatter(step.grad, step.shape(0), axis, step.input(1)); });
}

Tensor scatter_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values) {
  return plus_scattered(x, axis, indices, values, scatter);
}

// y[j] = x[indices[j]] along `axis`      dL/dx[indices[j]] += dL/dy[j]
Tensor index_select(const Tensor& x, int given, const Tensor& indices) {
  check_defined({{"x", x}, {"indices", indices}});
  const int axis = normalize_axis(given, x);
  check<ShapeError>(indices.rank() == 1, "index_select: indices must be a vector, got shape {}", indices.shape());
  return record("index_select", kernels::index_select(x, axis, indices), {x, indices}, [axis](const Step& step) {
    return Gradient(step.grad, step.input(1), axis);  // by rows: the rest is zero
  });
}

Tensor index_add(const Tensor& x, int axis, const Tensor& indices, const Tensor& values) {
  return plus_scattered(x, axis, indices, values, index_scatter);
}

Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype) {
  return constant(kernels::one_hot(indices, classes, dtype), {indices});
}

Tensor argsort(const Tensor& x, int axis, bool descending) {
  return constant(kernels::argsort(x, normalize_axis(axis, x), descending), {x});
}

}  // namespace gradus
