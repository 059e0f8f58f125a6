// Reading and adding at positions named by indices.
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "core/kernels/elementwise.h"
#include "core/tensor/create.h"

namespace gradus::kernels {

namespace {

// Calls body(i, at) for each index i of `indices`: x is read as if shaped like them on every axis but `axis`, where the index says
// which element, and `at` is its place in x. In parallel, or in order on one thread.
template <typename Body>
void for_each_index(const Shape& x, int axis, const Tensor& indices, bool in_order, const Body& body, OpName op = {}) {
  const Shape& shape = indices.shape();
  check<ShapeError>(x.rank() == shape.rank(), "{}: x {} and indices {} must have the same number of axes", op, x, shape);
  for (int other = 0; other < x.rank(); ++other) {
    check<ShapeError>(other == axis || shape[other] <= x[other], "{}: indices {} are longer than x {} along axis {}", op, shape, x, other);
  }
  check_indices(indices, x[axis], op);
  Strides strides = strides_of(x);
  const int64_t along = std::exchange(strides[static_cast<std::size_t>(axis)], 0);
  const StridedWalk<1> walk(shape, {strides});
  const int64_t* id = indices.data<int64_t>();
  walk.for_each_row(in_order ? std::numeric_limits<int64_t>::max() / 2 : kGrain, [&](const auto& offsets, int64_t first, int64_t n) {
    for (int64_t i = 0; i < n; ++i) body(first + i, offsets[0] + i * walk.step(0) + id[first + i] * along);
  });
}

}  // namespace

Tensor gather(const Tensor& x, int axis, const Tensor& indices) {
  Tensor y(indices.shape(), x.dtype(), "gather");
  with_elements(x, y, [&](const auto* from, auto* to) {
    for_each_index(x.shape(), axis, indices, false, [=](int64_t i, int64_t at) { to[i] = from[at]; }, "gather");
  });
  return y;
}

// Several indices may name one position, so this runs in order: the same bits every time.
Tensor scatter_add(const Tensor& x, const Shape& shape, int axis, const Tensor& indices) {
  if (size_of(x.dtype()) < 8) return cast(scatter_add(cast(x, DType::f64), shape, axis, indices), x.dtype());  // f16 and f32
  check<ShapeError>(x.shape() == indices.shape(), "scatter_add: values of shape {} for indices of {}", x.shape(), indices.shape());
  Tensor y = zeroed(shape, x.dtype());
  with_elements(x, y, [&]<typename T>(const T* from, T* to) {
    const auto add = [=](int64_t i, int64_t at) { to[at] = static_cast<T>(plus(load(to[at]), load(from[i]))); };
    for_each_index(shape, axis, indices, true, add, "scatter_add");
  });
  return y;
}

Tensor index_select(const Tensor& x, int axis, const Tensor& indices) {
  check_indices(indices, x.size(axis));
  Shape shape = x.shape();
  shape[axis] = indices.numel();
  Tensor y(shape, x.dtype(), "index_select");
  const Extents e = extents_around(x.shape(), axis, axis + 1);
  const int64_t count = indices.numel(), line = e.inner * static_cast<int64_t>(size_of(x.dtype()));
  const int64_t* id = indices.data<int64_t>();
  const auto* from = static_cast<const char*>(x.bytes());
  auto* to = static_cast<char*>(y.mutable_bytes());
  for_each(e.outer * count, e.inner, [=](int64_t item) {
    const int64_t source = item / count * e.n + id[item % count];
    std::memcpy(to + item * line, from + source * line, static_cast<std::size_t>(line));
  });
  return y;
}

// Threads take columns, not indices: repeated ones are added in one fixed order. What comes to a row often is summed first, by sum.
void index_add_into(Tensor& y, int given_axis, const Tensor& indices, const Tensor& x) {
  const int axis = normalize_axis(given_axis, y.rank(), "index_add");
  check<ShapeError>(indices.rank() == 1, "index_add: indices must be a vector, got shape {}", indices.shape());
  Shape expected = y.shape();
  expected[axis] = indices.numel();
  check<ShapeError>(x.shape() == expected, "index_add: values of shape {}, expected {}", x.shape(), expected);
  if (y.dtype() == DType::f16) {  // summed in f32, rounded once
    Tensor sum = wide(y);
    index_add_into(sum, axis, indices, wide(x));
    y = rounded(sum);
    return;
  }
  check_indices(indices, y.size(axis), "index_add");
  const Extents e = extents_around(y.shape(), axis, axis + 1);
  const int64_t count = indices.numel();
  const int64_t* id = indices.data<int64_t>();
  std::vector<int64_t> times(static_cast<std::size_t>(e.n));
  for (int64_t i = 0; i < count; ++i) ++times[static_cast<std::size_t>(id[i])];
  const auto is_often = [&](int64_t i) { return times[static_cast<std::size_t>(id[i])] > 1024; };
  std::map<int64_t, std::vector<int64_t>> often;  // such rows, and where in x what comes to them is
  for (int64_t i = 0; i < count; ++i)
    if (is_often(i)) often[id[i]].push_back(i);
  for (const auto& [row, at] : often) {
    index_add_into(y, axis, from_vector(std::vector{row}, {1}), sum(index_select(x, axis, from_vector(at, {std::ssize(at)})), {axis}));
  }
  with_elements(x, y, [&]<typename T>(const T* from, T* to) {
    parallel_for(e.inner, kGrain / std::max<int64_t>(e.outer * count, 1) + 16, [&, from, to](int64_t begin, int64_t end) {
      for (int64_t item = 0; item < e.outer * count; ++item) {
        if (is_often(item % count)) continue;
        const T* source = from + item * e.inner;
        T* target = to + (item / count * e.n + id[item % count]) * e.inner;
        for (int64_t j = begin; j < end; ++j) target[j] = static_cast<T>(plus(load(target[j]), load(source[j])));
      }
    });
  });
}

Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype) {
  check<ValueError>(classes >= 0, "one_hot: the number of classes must not be negative, got {}", classes);
  check_indices(indices, classes);
  Shape shape = indices.shape();
  shape.push_back(classes, "one_hot");
  Tensor y = zeroed(shape, dtype, "one_hot");
  const int64_t* id = indices.data<int64_t>();
  dispatch(dtype, [&]<typename T>() {
    T* to = y.mutable_data<T>();
    for (int64_t i = 0; i < indices.numel(); ++i) to[i * classes + id[i]] = T(1);
  });
  return y;
}

}  // namespace gradus::kernels
