// Shape: the sizes of a tensor's axes, row-major, held inline. [] is the shape of a scalar.
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/check.h"

namespace gradus {

using std::int64_t;

// The most axes a tensor can have: sizes are held inline, so that a shape never allocates.
inline constexpr int kMaxRank = 6;

class Shape {
 public:
  Shape() = default;
  // ShapeError for a negative size, or more than kMaxRank of them.
  Shape(std::initializer_list<int64_t> sizes);
  Shape(const std::vector<int64_t>& sizes);

  int rank() const { return rank_; }
  // The product of the sizes; 1 for []. ShapeError, naming `op`, for a size that was set below 0, and beyond 2⁴⁸, even where an
  // axis of size 0 makes it 0: so no size, stride or position in a tensor comes near the end of 64 bits.
  int64_t numel(OpName op = "shape") const;

  // axis may be negative: -1 is the last. ShapeError when out of range.
  int64_t operator[](int axis) const { return sizes_[index(axis)]; }
  int64_t& operator[](int axis) { return sizes_[index(axis)]; }

  const int64_t* begin() const { return sizes_.data(); }
  const int64_t* end() const { return sizes_.data() + rank_; }

  void push_back(int64_t size, OpName op = "shape");         // a new last axis; `op` is whom an error names
  void insert(int axis, int64_t size, OpName op = "shape");  // a new axis before `axis` (0 … rank)
  void erase(int axis);                                      // removes the axis
  Shape slice(int first, int last) const;                    // the axes first … last-1
  Shape concat(const Shape& tail) const;                     // the axes of this, then those of `tail`
  std::vector<int64_t> vector() const { return {begin(), end()}; }

  bool operator==(const Shape& other) const;
  bool operator!=(const Shape& other) const { return !(*this == other); }

  std::string str() const;  // "[2, 3]"

 private:
  explicit Shape(std::span<const int64_t> sizes);
  std::size_t index(int axis) const;

  int rank_ = 0;
  std::array<int64_t, kMaxRank> sizes_{};
};

// a + b and a·b for sizes that a caller gave. ShapeError, naming `op`, where 64 bits cannot hold the result.
int64_t checked_sum(int64_t a, int64_t b, OpName op = {});
int64_t checked_product(int64_t a, int64_t b, OpName op = {});

// One number for each axis; those beyond the rank are not used.
using Strides = std::array<int64_t, kMaxRank>;

// How many elements apart neighbours along each axis are, in a contiguous row-major tensor.
Strides strides_of(const Shape& shape);

// The axis in [0, rank) that is meant by `axis`, which counts from the end if negative. ShapeError, naming `op`, unless
// -rank <= axis < rank.
int normalize_axis(int axis, int rank, OpName op = {});

// A set of axes, e.g. of a reduction; none given means all. Negative axes count from the end.
struct Axes : std::vector<int> {
  Axes() = default;
  Axes(int axis) : std::vector<int>{axis} {}
  Axes(std::initializer_list<int> axes) : std::vector<int>(axes) {}
  Axes(const std::vector<int>& axes) : std::vector<int>(axes) {}
};
// The axes in ascending order, none of them negative; all axes if none is given. ShapeError, naming `op`, for an axis out of
// range or given twice.
Axes normalize_axes(const Axes& axes, int rank, OpName op = {});
int64_t count_along(const Shape& shape, const Axes& axes);  // the product of the sizes of these axes, normalized
// `shape` once these axes, normalized, are reduced: each as 1 if keepdim, else gone.
Shape reduced_shape(Shape shape, const Axes& axes, bool keepdim);

// NumPy's broadcasting: axes are matched from the last; a missing axis or one of size 1 stretches. broadcast_shapes is the
// shape to which both stretch: ShapeError, naming `op`, when two sizes differ and neither is 1.
Shape broadcast_shapes(const Shape& a, const Shape& b, OpName op = {});
bool broadcasts_to(const Shape& from, const Shape& to);  // does `from` stretch to `to`, which itself does not?

}  // namespace gradus

// Prints as str() does.
template <> struct fmt::formatter<gradus::Shape> : fmt::formatter<fmt::string_view> {
  auto format(const gradus::Shape& shape, fmt::format_context& context) const -> fmt::format_context::iterator;
};
