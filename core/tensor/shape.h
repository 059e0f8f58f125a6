// Shape: the sizes of a tensor's axes, row-major, held inline. [] is the shape of a scalar.
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace gradus {

using std::int64_t;

// The most axes a tensor can have. Held inline so that a shape never allocates.
inline constexpr int kMaxRank = 6;

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> sizes);
  explicit Shape(const std::vector<int64_t>& sizes);

  int rank() const { return rank_; }
  int64_t numel() const;  // the product of the sizes; 1 for []. ShapeError where 64 bits cannot hold it, or a stride

  // axis may be negative: -1 is the last. ShapeError when out of range.
  int64_t operator[](int axis) const { return sizes_[index(axis)]; }
  int64_t& operator[](int axis) { return sizes_[index(axis)]; }

  const int64_t* begin() const { return sizes_.data(); }
  const int64_t* end() const { return sizes_.data() + rank_; }

  void push_back(int64_t size);             // a new last axis
  void insert(int axis, int64_t size);      // a new axis before `axis` (0 … rank)
  void erase(int axis);
  void grow(int axis, int64_t by);          // ShapeError beyond 64 bits
  Shape slice(int first, int last) const;   // the axes first … last-1
  Shape concat(const Shape& tail) const;
  std::vector<int64_t> vector() const { return {begin(), end()}; }

  bool operator==(const Shape& other) const;
  bool operator!=(const Shape& other) const { return !(*this == other); }

  std::string str() const;  // "[2, 3]"

 private:
  std::size_t index(int axis) const;

  int rank_ = 0;
  std::array<int64_t, kMaxRank> sizes_{};
};

using Strides = std::array<int64_t, kMaxRank>;

// The element distance between neighbours along each axis of a contiguous row-major tensor.
Strides strides_of(const Shape& shape);

// axis in [-rank, rank) to [0, rank). ShapeError naming `op` otherwise.
int normalize_axis(const char* op, int axis, int rank);

// A set of axes, e.g. of a reduction; none given means all. Negative axes count from the end.
struct Axes : std::vector<int> {
  Axes() = default;
  Axes(int axis) : std::vector<int>{axis} {}
  Axes(std::initializer_list<int> axes) : std::vector<int>(axes) {}
};
// Sorted, non-negative, without repeats (ShapeError for a repeat); all axes when empty.
Axes normalize_axes(const char* op, const Axes& axes, int rank);

// NumPy's broadcasting: axes are matched from the last; a missing axis or one of size 1 stretches.
// ShapeError naming `op` when two sizes differ and neither is 1.
Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b);
bool broadcasts_to(const Shape& from, const Shape& to);

}  // namespace gradus

template <> struct fmt::formatter<gradus::Shape> : fmt::formatter<fmt::string_view> {
  auto format(const gradus::Shape& shape, fmt::format_context& context) const -> fmt::format_context::iterator;
};
