#include "core/tape/record.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace gradus {
namespace {

// y = zeros of `shape`; y[i][ids[i][j]] += x[i][j]      dL/dx = dL/dy, gathered
Tensor scatter(const Tensor& x, const Shape& shape, int axis, const Tensor& ids) {
  return record("scatter_add", kernels::scatter_add(x, shape, axis, ids), {x, ids},
                [axis](const Backward& s) { return gather(s.grad, axis, s.input(1)); });
}

// y = zeros of `shape`; y[ids[j]] += x[j] along `axis`      dL/dx = dL/dy at the ids
Tensor index_scatter(const Tensor& x, const Shape& shape, int axis, const Tensor& ids) {
  Tensor y = kernels::zeros(shape, x.dtype());
  kernels::index_add_into(y, axis, ids, x);
  return record("index_add", y, {x, ids},
                [axis](const Backward& s) { return index_select(s.grad, axis, s.input(1)); });
}

}  // namespace

// y[i][j] = x[i][ids[i][j]]      dL/dx = dL/dy, scattered back; repeated ids add up
Tensor gather(const Tensor& x, int given, const Tensor& ids) {
  const int axis = normalize_axis("gather", given, x.rank());
  return record("gather", kernels::gather(x, axis, ids), {x, ids},
                [axis](const Backward& s) { return scatter(s.grad, s.shape(0), axis, s.input(1)); });
}

Tensor scatter_add(const Tensor& x, int given, const Tensor& ids, const Tensor& values) {
  const int axis = normalize_axis("scatter_add", given, x.rank());
  return x + scatter(values, x.shape(), axis, ids);
}

// y[j] = x[ids[j]] along `axis`      dL/dx[ids[j]] += dL/dy[j]
Tensor index_select(const Tensor& x, int given, const Tensor& ids) {
  const int axis = normalize_axis("index_select", given, x.rank());
  check<ShapeError>(ids.rank() == 1, "index_select: ids must be a vector, got shape {}", ids.shape());
  return record("index_select", kernels::index_select(x, axis, ids), {x, ids}, [axis](const Backward& s) {
    Tensor sum = s.take_sum(0);  // an embedding tied to the output has a gradient already: no second one full of zeros
    if (!sum.defined()) return index_scatter(s.grad, s.shape(0), axis, s.input(1));
    kernels::index_add_into(sum, axis, s.input(1), s.grad);
    return sum;
  });
}

Tensor index_add(const Tensor& x, int given, const Tensor& ids, const Tensor& values) {
  const int axis = normalize_axis("index_add", given, x.rank());
  check<ShapeError>(ids.rank() == 1, "index_add: ids must be a vector, got shape {}", ids.shape());
  Shape expected = x.shape();
  expected[axis] = ids.numel();
  check<ShapeError>(values.shape() == expected, "index_add: values of shape {}, expected {}", values.shape(), expected);
  return x + index_scatter(values, x.shape(), axis, ids);
}

Tensor take(const Tensor& x, const Tensor& ids) {
  return reshape(index_select(flatten(x), 0, flatten(ids)), ids.shape());
}

Tensor one_hot(const Tensor& ids, int64_t classes, DType dtype) { return kernels::one_hot(ids, classes, dtype); }

Tensor argsort(const Tensor& x, int axis, bool descending) {
  return kernels::argsort(x, normalize_axis("argsort", axis, x.rank()), descending);
}

Sorted sort(const Tensor& x, int axis, bool descending) {
  const Tensor ids = argsort(x, axis, descending);
  return {gather(x, axis, ids), ids};
}

Sorted topk(const Tensor& x, int64_t k, int axis) {
  check<ValueError>(k >= 0 && k <= x.size(axis), "topk: k = {}, but axis {} of {} has {} elements", k, axis, x.shape(),
                    x.size(axis));
  const Tensor ids = slice(argsort(x, axis, true), axis, 0, k);
  return {gather(x, axis, ids), ids};
}

}  // namespace gradus
