// Moving elements without changing them: broadcasting, transposing, slicing, joining. All are one strided copy.
#include <cstring>

#include "core/kernels/elementwise.h"
#include "core/kernels/kernels.h"

namespace gradus::kernels {
namespace {

// Elements are moved as bytes, so the types of one size share their code.
template <typename Body> void dispatch_size(std::size_t bytes, Body&& body) {
  switch (bytes) {
    case 2: return body.template operator()<std::uint16_t>();
    case 4: return body.template operator()<std::uint32_t>();
    default: return body.template operator()<std::uint64_t>();
  }
}

constexpr int64_t kTile = 16;  // as many floats as a cache line holds

// y[i][j] = x[j][i]; the distances are those from row to row.
template <typename T>
void transpose_tile(const T* x, int64_t x_distance, T* y, int64_t y_distance, int64_t rows, int64_t columns) {
  T tile[kTile][kTile];
  for (int64_t j = 0; j < columns; ++j) std::copy(x + j * x_distance, x + j * x_distance + rows, tile[j]);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) y[i * y_distance + j] = tile[j][i];
  }
}

// Where x runs along the axis `inner` and y along its last, a row of one is a column of the other, and a column touches a cache
// line for each element. Tiles use up the lines they touch: xtensor takes ten times as long.
template <typename T> void transpose_copy(const StridedWalk<2>& walk, int inner, const T* x, T* y) {
  const auto& rows = walk.axis(inner);
  const auto& columns = walk.axis(walk.rank() - 1);
  const int64_t strips = (rows.extent + kTile - 1) / kTile;
  int64_t others = 1;
  for (int axis = 0; axis + 1 < walk.rank(); ++axis) others *= axis == inner ? 1 : walk.axis(axis).extent;
  parallel_for(others * strips, kGrain / (kTile * columns.extent) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t i = unit % strips * kTile;
      int64_t from = i, to = i * rows.stride[1], left = unit / strips;
      for (int axis = walk.rank() - 2; axis >= 0; --axis) {
        if (axis == inner) continue;
        const auto& other = walk.axis(axis);
        from += left % other.extent * other.stride[0];
        to += left % other.extent * other.stride[1];
        left /= other.extent;
      }
      for (int64_t j = 0; j < columns.extent; j += kTile) {
        transpose_tile(x + from + j * columns.stride[0], columns.stride[0], y + to + j, rows.stride[1],
                       std::min(kTile, rows.extent - i), std::min(kTile, columns.extent - j));
      }
    }
  });
}

// The axis before the last along which the first operand is contiguous, if the second is along the last; else -1.
int transposed_axis(const StridedWalk<2>& walk) {
  if (walk.empty() || walk.step(0) <= 1 || walk.step(1) != 1) return -1;
  for (int axis = 0; axis + 1 < walk.rank(); ++axis) {
    if (walk.axis(axis).stride[0] == 1) return axis;
  }
  return -1;
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

// y[there] = x[here], both of `shape`. xtensor takes 2 to 50 times as long for steps and joints.
Tensor copy(const Shape& shape, const Tensor& x, const Window& here, Tensor y, const Window& there) {
  const StridedWalk<2> walk(shape, {here.strides, there.strides});
  dispatch_size(size_of(x.dtype()), [&]<typename T>() {
    const T* source = static_cast<const T*>(x.bytes()) + here.start;
    T* target = static_cast<T*>(y.mutable_bytes()) + there.start;
    if (const int inner = transposed_axis(walk); inner >= 0) return transpose_copy(walk, inner, source, target);
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

Tensor zeros(const Shape& shape, DType dtype, OpName op) {
  Tensor y(shape, dtype, op);
  auto* bytes = static_cast<char*>(y.mutable_bytes());
  const auto clear = [=](int64_t begin, int64_t end) { std::memset(bytes + begin, 0, static_cast<std::size_t>(end - begin)); };
  parallel_for(shape.numel() * static_cast<int64_t>(size_of(dtype)), 4 * kGrain, clear);
  return y;
}

Tensor expand(const Tensor& x, const Shape& shape) {
  return copy_of(x, {0, broadcast_strides(x.shape(), shape)}, shape);
}

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
  const Tensor y = zeros(shape, x.dtype(), "pad");
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
