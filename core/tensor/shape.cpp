#include "core/tensor/shape.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace gradus {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 48;  // no memory has more

void check_rank(std::size_t rank, OpName op = {}) {
  check<ShapeError>(rank <= kMaxRank, "{}: {} axes, but a tensor has at most {}", op, rank, kMaxRank);
}

}  // namespace

Shape::Shape(std::initializer_list<int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
Shape::Shape(const std::vector<int64_t>& sizes) : Shape(std::span<const int64_t>(sizes)) {}
Shape::Shape(std::span<const int64_t> sizes) {
  check_rank(sizes.size(), "shape");
  for (int64_t size : sizes) push_back(size);
}

int64_t Shape::numel(OpName op) const {
  int64_t count = 1;  // an axis of size 0 counted as 1
  bool empty = false, overflow = false, negative = false;
  for (int64_t size : *this) {
    empty |= size == 0;
    negative |= size < 0;
    overflow |= __builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count);
  }
  if (negative) throw ShapeError(fmt::format("{}: shape {} has a negative size", op, *this));
  if (overflow || count > kMaxElements) throw ShapeError(fmt::format("{}: shape {} is larger than any memory", op, *this));
  return empty ? 0 : count;
}

std::size_t Shape::index(int axis) const {
  const int positive = axis < 0 ? axis + rank_ : axis;
  if (positive < 0 || positive >= rank_) normalize_axis(axis, rank_, "shape");
  return static_cast<std::size_t>(positive);
}

void Shape::push_back(int64_t size, OpName op) { insert(rank_, size, op); }

void Shape::insert(int axis, int64_t size, OpName op) {
  check_rank(static_cast<std::size_t>(rank_) + 1, op);
  check<ShapeError>(size >= 0, "{}: an axis has the negative size {}", op, size);
  check<ShapeError>(axis >= 0 && axis <= rank_, "{}: cannot insert an axis at {} into {}", op, axis, *this);
  const auto at = sizes_.begin() + axis;
  std::copy_backward(at, sizes_.begin() + rank_, sizes_.begin() + rank_ + 1);
  *at = size;
  ++rank_;
}

void Shape::erase(int axis) {
  const auto at = sizes_.begin() + static_cast<std::ptrdiff_t>(index(axis));
  std::copy(at + 1, sizes_.begin() + rank_, at);
  --rank_;
}

Shape Shape::slice(int first, int last) const {
  Shape part;
  for (int axis = first; axis < last; ++axis) part.push_back((*this)[axis]);
  return part;
}

Shape Shape::concat(const Shape& tail) const {
  Shape whole = *this;
  for (int64_t size : tail) whole.push_back(size);
  return whole;
}

bool Shape::operator==(const Shape& other) const { return rank_ == other.rank_ && std::equal(begin(), end(), other.begin()); }

std::string Shape::str() const { return fmt::format("[{}]", fmt::join(begin(), end(), ", ")); }

int64_t checked_sum(int64_t a, int64_t b, OpName op) {
  int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  check<ShapeError>(!overflow, "{}: a size of {} + {} does not fit in 64 bits", op, a, b);
  return sum;
}

int64_t checked_product(int64_t a, int64_t b, OpName op) {
  int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  check<ShapeError>(!overflow, "{}: a size of {} · {} does not fit in 64 bits", op, a, b);
  return product;
}

Strides strides_of(const Shape& shape) {
  Strides strides{};
  std::uint64_t step = 1;  // which may wrap around where no tensor has the shape
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[static_cast<std::size_t>(axis)] = static_cast<int64_t>(step);
    step *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

int normalize_axis(int axis, int rank, OpName op) {
  check<ShapeError>(axis >= -rank && axis < rank, "{}: axis {} is out of range for a tensor of {} axes", op, axis, rank);
  return axis < 0 ? axis + rank : axis;
}

Axes normalize_axes(const Axes& axes, int rank, OpName op) {
  Axes sorted;
  for (int axis : axes) sorted.push_back(normalize_axis(axis, rank, op));
  std::sort(sorted.begin(), sorted.end());
  const auto repeat = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeat != sorted.end()) throw ShapeError(fmt::format("{}: axis {} is given twice", op, *repeat));
  if (axes.empty()) {
    for (int axis = 0; axis < rank; ++axis) sorted.push_back(axis);
  }
  return sorted;
}

int64_t count_along(const Shape& shape, const Axes& axes) {
  int64_t count = 1;
  for (int axis : axes) count *= shape[axis];
  return count;
}

Shape reduced_shape(Shape shape, const Axes& axes, bool keepdim) {
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    keepdim ? void(shape[*axis] = 1) : shape.erase(*axis);
  }
  return shape;
}

Shape broadcast_shapes(const Shape& a, const Shape& b, OpName op) {
  if (a == b) return a;
  const int rank = std::max(a.rank(), b.rank());
  Shape result;
  for (int axis = 0; axis < rank; ++axis) {
    const int in_a = axis - rank + a.rank(), in_b = axis - rank + b.rank();
    const int64_t size_a = in_a < 0 ? 1 : a[in_a], size_b = in_b < 0 ? 1 : b[in_b];
    check<ShapeError>(size_a == size_b || size_a == 1 || size_b == 1,
                      "{}: shapes {} and {} do not broadcast: {} against {} (sizes must be equal or 1, matched from the last axis)", op, a,
                      b, size_a, size_b);
    result.push_back(size_a == 1 ? size_b : size_a);
  }
  return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.rank() > to.rank()) return false;
  for (int axis = 1; axis <= from.rank(); ++axis) {
    if (from[-axis] != to[-axis] && from[-axis] != 1) return false;
  }
  return true;
}

}  // namespace gradus

auto fmt::formatter<gradus::Shape>::format(const gradus::Shape& shape, fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::formatter<fmt::string_view>::format(shape.str(), context);
}
