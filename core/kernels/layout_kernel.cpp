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

// Where x runs along the axis `inner` and y along its last, a row of one is a column of the other, and a column touches
// a cache line for each element. Tiles use up the lines they touch.
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

// to[walk of to_strides] = from[walk of from_strides], over `shape`.
void strided_copy(const Shape& shape, std::size_t element, const void* from, int64_t from_start,
                  const Strides& from_strides, void* to, int64_t to_start, const Strides& to_strides) {
  const StridedWalk<2> walk(shape, {from_strides, to_strides});
  dispatch_size(element, [&]<typename T>() {
    const T* source = static_cast<const T*>(from) + from_start;
    T* target = static_cast<T*>(to) + to_start;
    if (const int inner = transposed_axis(walk); inner >= 0) return transpose_copy(walk, inner, source, target);
    const int64_t step_from = walk.step(0), step_to = walk.step(1);
    walk.for_each_row(kGrain, [=](const auto& offsets, int64_t, int64_t n) {
      const T* x = source + offsets[0];
      T* y = target + offsets[1];
      if (step_from == 1 && step_to == 1) {
        std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(T));
      } else if (step_from == 0 && step_to == 1) {
        std::fill(y, y + n, *x);
      } else {
        for (int64_t i = 0; i < n; ++i) y[i * step_to] = x[i * step_from];
      }
    });
  });
}

struct Window {  // a strided part of a contiguous tensor
  int64_t start = 0;
  Strides strides{};
};

Window window_of(const Shape& shape, const Strides& starts, const Strides& steps) {
  Window window{0, strides_of(shape)};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(shape.rank()); ++axis) {
    window.start += starts[axis] * window.strides[axis];
    window.strides[axis] *= steps[axis];
  }
  return window;
}

}  // namespace

Tensor zeros(const Shape& shape, DType dtype, const char* op) {
  Tensor y(shape, dtype, op);
  auto* bytes = static_cast<char*>(y.mutable_bytes());
  const auto element = static_cast<int64_t>(size_of(dtype));
  parallel_for(shape.numel(), kGrain, [=](int64_t begin, int64_t end) {
    std::memset(bytes + begin * element, 0, static_cast<std::size_t>((end - begin) * element));
  });
  return y;
}

Tensor expand(const Tensor& x, const Shape& shape) {
  Tensor y(shape, x.dtype(), "expand");
  strided_copy(shape, size_of(x.dtype()), x.bytes(), 0, broadcast_strides(x.shape(), shape), y.mutable_bytes(), 0,
               strides_of(shape));
  return y;
}

Tensor permute(const Tensor& x, const std::vector<int>& order) {
  const Strides own = strides_of(x.shape());
  Shape shape;
  Strides strides{};
  for (int axis : order) {
    strides[static_cast<std::size_t>(shape.rank())] = own[static_cast<std::size_t>(axis)];
    shape.push_back(x.size(axis));
  }
  Tensor y(shape, x.dtype(), "permute");
  strided_copy(shape, size_of(x.dtype()), x.bytes(), 0, strides, y.mutable_bytes(), 0, strides_of(shape));
  return y;
}

Tensor strided_slice(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  Tensor y(shape, x.dtype(), "slice");
  const Window window = window_of(x.shape(), starts, steps);
  strided_copy(shape, size_of(x.dtype()), x.bytes(), window.start, window.strides, y.mutable_bytes(), 0,
               strides_of(shape));
  return y;
}

Tensor strided_scatter(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  Tensor y = zeros(shape, x.dtype(), "pad");
  const Window window = window_of(shape, starts, steps);
  strided_copy(x.shape(), size_of(x.dtype()), x.bytes(), 0, strides_of(x.shape()), y.mutable_bytes(), window.start,
               window.strides);
  return y;
}

Tensor concat(const Tensors& parts, int axis) {
  Shape shape = parts.front().shape();
  shape[axis] = 0;
  for (const Tensor& part : parts) shape[axis] = checked_sum("cat", shape[axis], part.size(axis));
  Tensor y(shape, parts.front().dtype(), "cat");
  void* target = y.mutable_bytes();
  const Strides strides = strides_of(shape);
  int64_t start = 0;
  for (const Tensor& part : parts) {
    strided_copy(part.shape(), size_of(part.dtype()), part.bytes(), 0, strides_of(part.shape()), target,
                 start * strides[static_cast<std::size_t>(axis)], strides);
    start += part.size(axis);
  }
  return y;
}

}  // namespace gradus::kernels
