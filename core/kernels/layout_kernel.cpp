// Moving elements without changing them: broadcasting, transposing, slicing, joining. All are one strided copy.
#include <cstring>

#include "core/kernels/elementwise.h"

namespace gradus::kernels {
namespace {

// Copies, if x is contiguous along an axis before the last, and y along the last: then a row of one is a column of the other, and a
// column touches a cache line for each element. Tiles use up the lines they touch.
template <typename T> bool copy_transposed(const StridedWalk<2>& walk, const T* x, T* y) {
  constexpr int64_t edge = 16;  // of a tile: as many floats as a cache line holds
  int inner = 0;
  while (inner + 1 < walk.rank() && walk.axis(inner).stride[0] != 1) ++inner;
  if (walk.empty() || walk.step(0) <= 1 || walk.step(1) != 1 || inner + 1 == walk.rank()) return false;
  const auto &rows = walk.axis(inner), &columns = walk.axis(walk.rank() - 1);
  const int64_t strips = (rows.extent + edge - 1) / edge;
  for_each(walk.rows() / rows.extent * strips, edge * columns.extent, [&](int64_t unit) {
    const int64_t i = unit % strips * edge, height = std::min(edge, rows.extent - i);
    int64_t from = i, to = i * rows.stride[1], left = unit / strips;
    for (int axis = walk.rank() - 2; axis >= 0; --axis) {
      if (axis == inner) continue;
      const auto& other = walk.axis(axis);
      from += left % other.extent * other.stride[0];
      to += left % other.extent * other.stride[1];
      left /= other.extent;
    }
    for (int64_t j = 0; j < columns.extent; j += edge) {
      const int64_t width = std::min(edge, columns.extent - j);
      T tile[edge][edge];
      for (int64_t c = 0; c < width; ++c) std::copy_n(x + from + (j + c) * columns.stride[0], height, tile[c]);
      for (int64_t r = 0; r < height; ++r) {
        for (int64_t c = 0; c < width; ++c) y[to + r * rows.stride[1] + j + c] = tile[c][r];
      }
    }
  });
  return true;
}

struct Window {  // a strided part of a contiguous tensor
  int64_t start = 0;
  Strides strides{};
};
Window whole(const Tensor& x) { return {0, strides_of(x.shape())}; }

Window window_of(const Shape& shape, const Strides& starts, const Strides& steps) {
  if (shape.numel() == 0) return {};  // nothing to copy; a stride could be larger than an integer
  Window window{0, strides_of(shape)};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(shape.rank()); ++axis) {
    window.start += starts[axis] * window.strides[axis];
    window.strides[axis] *= steps[axis];
  }
  return window;
}

// y[there] = x[here], both of `shape`.
Tensor copy(const Shape& shape, const Tensor& x, const Window& here, Tensor y, const Window& there) {
  const StridedWalk<2> walk(shape, {here.strides, there.strides});
  dispatch(x.dtype(), [&]<typename T>() {
    const T* source = x.data<T>() + here.start;
    T* target = y.mutable_data<T>() + there.start;
    if (copy_transposed(walk, source, target)) return;
    const int64_t step_from = walk.step(0), step_to = walk.step(1);
    walk.for_each_row(kGrain, [=](const auto& offsets, int64_t, int64_t n) {
      const T* from = source + offsets[0];
      T* to = target + offsets[1];
      if (step_from == 1 && step_to == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
      } else if (step_from == 0 && step_to == 1) {
        std::fill(to, to + n, *from);
      } else {
        for (int64_t i = 0; i < n; ++i) to[i * step_to] = from[i * step_from];
      }
    });
  });
  return y;
}

// y[i] = x[here]
Tensor copy_of(const Tensor& x, const Window& here, const Shape& shape, OpName op = {}) {
  const Tensor y(shape, x.dtype(), op);
  return copy(shape, x, here, y, whole(y));
}

}  // namespace

Tensor zeroed(const Shape& shape, DType dtype, OpName op) {
  Tensor y(shape, dtype, op);
  dispatch(dtype, [&]<typename T>() { for_each(y.numel(), 1, [to = y.mutable_data<T>()](int64_t i) { to[i] = T(0); }); });
  return y;
}

Tensor expand(const Tensor& x, const Shape& shape) { return copy_of(x, {0, broadcast_strides(x.shape(), shape)}, shape); }

Tensor permute(const Tensor& x, const std::vector<int>& order) {
  Shape shape;
  Window own = whole(x), here;
  for (int axis : order) {
    here.strides[static_cast<std::size_t>(shape.rank())] = own.strides[static_cast<std::size_t>(axis)];
    shape.push_back(x.size(axis));
  }
  return copy_of(x, here, shape);
}

Tensor strided_slice(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  return copy_of(x, window_of(x.shape(), starts, steps), shape, "slice");
}

Tensor strided_scatter(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  const Tensor y = zeroed(shape, x.dtype(), "pad");
  return copy(x.shape(), x, whole(x), y, window_of(shape, starts, steps));
}

Tensor cat(const Tensors& parts, int axis) {
  Shape shape = parts.front().shape();
  shape[axis] = 0;
  for (const Tensor& part : parts) shape[axis] = checked_sum(shape[axis], part.size(axis));
  const Tensor y(shape, parts.front().dtype(), "cat");
  Window there = whole(y);
  for (const Tensor& part : parts) {
    copy(part.shape(), part, whole(part), y, there);
    there.start += part.size(axis) * there.strides[static_cast<std::size_t>(axis)];
  }
  return y;
}

}  // namespace gradus::kernels
