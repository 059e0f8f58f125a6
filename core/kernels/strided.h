// StridedWalk: visits the elements of a shape row by row, for N operands, each with its strides. A stride of 0 repeats an operand
// (broadcasting), a negative one runs backwards (flip), permuted ones transpose. Axes that every operand steps through as one are
// merged, so that a same-shape operation is a single long row.
#pragma once

#include <array>
#include <cstddef>

#include "core/machine/parallel.h"
#include "core/tensor/shape.h"

namespace gradus::kernels {

template <std::size_t N> class StridedWalk {
 public:
  using Offsets = std::array<int64_t, N>;
  struct Axis {
    int64_t extent;
    Offsets stride;
  };

  StridedWalk(const Shape& shape, const std::array<Strides, N>& strides) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      Axis next{shape[axis], {}};
      bool mergeable = true;
      for (std::size_t k = 0; k < N; ++k) {
        next.stride[k] = strides[k][static_cast<std::size_t>(axis)];
        mergeable = mergeable && last().stride[k] == next.stride[k] * next.extent;
      }
      if (next.extent == 1) continue;  // the first that is longer takes the place of the scalar's
      if (mergeable || last().extent == 1) next.extent *= axes_[static_cast<std::size_t>(--rank_)].extent;
      axes_[static_cast<std::size_t>(rank_++)] = next;
    }
    for (int axis = 0; axis + 1 < rank_; ++axis) rows_ *= this->axis(axis).extent;
  }

  int rank() const { return rank_; }  // after merging
  const Axis& axis(int index) const { return axes_[static_cast<std::size_t>(index)]; }
  bool empty() const { return rows_ * row_length() == 0; }
  int64_t rows() const { return rows_; }
  int64_t row_length() const { return last().extent; }
  int64_t step(std::size_t operand) const { return last().stride[operand]; }  // from column to column

  // Calls row(offsets, first, length) for each row, or for parts of the only one, in parallel: `offsets` is where each operand's
  // part begins, `first` the row-major index of its first element.
  template <typename Row> void for_each_row(int64_t grain, const Row& row) const {
    if (empty()) return;
    if (rows_ == 1) {
      parallel_for(row_length(), grain, [&](int64_t begin, int64_t end) {
        Offsets offsets{};
        for (std::size_t k = 0; k < N; ++k) offsets[k] = begin * step(k);
        row(offsets, begin, end - begin);
      });
      return;
    }
    constexpr int64_t cost_of_row = 16;  // to come to it takes as long as some elements
    parallel_for(rows_, grain / (row_length() + cost_of_row) + 1, [&](int64_t begin, int64_t end) {
      Position position;
      advance(position, begin);
      for (int64_t index = begin; index < end; ++index, advance(position, 1)) {
        row(position.offsets, index * row_length(), row_length());
      }
    });
  }

 private:
  struct Position {
    std::array<int64_t, kMaxRank> index{};
    Offsets offsets{};
  };

  const Axis& last() const { return axis(rank_ - 1); }

  // Goes `rows` rows on, like an odometer: the last wheel turns first, and carries.
  void advance(Position& position, int64_t rows) const {
    for (int axis = rank_ - 2; axis >= 0 && rows > 0; --axis) {
      const Axis& a = this->axis(axis);
      int64_t& wheel = position.index[static_cast<std::size_t>(axis)];
      const int64_t turned = wheel + rows;
      rows = turned < a.extent ? 0 : turned / a.extent;
      for (std::size_t k = 0; k < N; ++k) position.offsets[k] += (turned - rows * a.extent - wheel) * a.stride[k];
      wheel = turned - rows * a.extent;
    }
  }

  std::array<Axis, kMaxRank> axes_{Axis{1, {}}};  // at first a scalar's: a row of one element
  int rank_ = 1;
  int64_t rows_ = 1;
};

// A shape seen as [outer, n, inner] around its axes first … last-1.
struct Extents { int64_t outer, n, inner; };
inline Extents extents_around(const Shape& shape, int first, int last) {
  return {shape.slice(0, first).numel(), shape.slice(first, last).numel(), shape.slice(last, shape.rank()).numel()};
}

// The strides with which `from`, broadcast to `to`, is read: 0 along the axes it stretches over.
inline Strides broadcast_strides(const Shape& from, const Shape& to) {
  const Strides own = strides_of(from);
  Strides strides{};
  for (int axis = 1; axis <= from.rank(); ++axis) {
    const auto here = static_cast<std::size_t>(from.rank() - axis), there = static_cast<std::size_t>(to.rank() - axis);
    if (from[-axis] != 1) strides[there] = own[here];
  }
  return strides;
}

}  // namespace gradus::kernels
