#include <algorithm>
#include <numeric>

#include "core/composites/composites.h"

namespace gradus {

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
  const int a = normalize_axis(axis_a, x), b = normalize_axis(axis_b, x);
  std::vector<int> order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  return permute(x, order);
}

Tensor squeeze(const Tensor& x, const Axes& given) {
  const Axes axes = normalize_axes(given, x);
  Shape shape = x.shape();
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    check<ShapeError>(given.empty() || shape[*axis] == 1, "squeeze: axis {} of shape {} has size {}, expected 1", *axis, x.shape(),
                      shape[*axis]);
    if (shape[*axis] == 1) shape.erase(*axis);
  }
  return reshape(x, shape);
}

Tensor unsqueeze(const Tensor& x, int axis) {
  check_defined({{"x", x}});
  Shape shape = x.shape();
  check<ShapeError>(axis >= -x.rank() - 1 && axis <= x.rank(), "unsqueeze: axis {} is out of range for inserting an axis into {}", axis,
                    x.shape());
  shape.insert(axis < 0 ? axis + x.rank() + 1 : axis, 1, "unsqueeze");
  return reshape(x, shape);
}

Tensor flatten(const Tensor& x, int given_first, int given_last) {
  check_defined({{"x", x}});
  if (x.rank() == 0) return reshape(x, Shape{1});
  const int first = normalize_axis(given_first, x);
  const int last = normalize_axis(given_last, x);
  check<ShapeError>(first <= last, "flatten: axis {} comes after axis {}", first, last);
  const Shape merged = x.shape().slice(first, last + 1);
  return reshape(x, x.shape().slice(0, first).concat({merged.numel()}).concat(x.shape().slice(last + 1, x.rank())));
}

Tensor stack(const Tensors& parts, int given) {
  check<ValueError>(!parts.empty(), "stack: nothing to join");
  check_defined("parts", parts);
  common_dtype(parts);
  const Shape& first = parts.front().shape();
  const int axis = normalize_axis(given, first.rank() + 1);
  check<ShapeError>(first.rank() < kMaxRank, "stack: shape {} has no room for another axis", first);
  Tensors raised;
  for (const Tensor& part : parts) {
    check<ShapeError>(part.shape() == first, "stack: the shapes must be the same, got {} and {}", first, part.shape());
    raised.push_back(unsqueeze(part, axis));
  }
  return cat(raised, axis);
}

namespace {

Tensors pieces(const Tensor& x, int64_t size, int axis, OpName op = {}) {
  constexpr int64_t most = 1 << 24;  // an empty tensor may have an axis of any size
  check<ValueError>(x.size(axis) / size < most, "{}: {} in pieces of {} are too many pieces", op, x.shape(), size);
  std::vector<int64_t> sizes{std::min(size, x.size(axis))};
  for (int64_t left = x.size(axis) - sizes[0]; left > 0; left -= size) sizes.push_back(std::min(size, left));
  return split(x, sizes, axis);
}

}  // namespace

Tensors split(const Tensor& x, int64_t size, int given) {
  const int axis = normalize_axis(given, x);
  check<ValueError>(size > 0, "split: the size must be positive, got {}", size);
  return pieces(x, size, axis);
}

Tensors chunk(const Tensor& x, int64_t count, int given) {
  const int axis = normalize_axis(given, x);
  check<ValueError>(count > 0, "chunk: the count must be positive, got {}", count);
  return pieces(x, std::max<int64_t>((x.size(axis) - 1) / count + 1, 1), axis);
}

Tensor select(const Tensor& x, int given, int64_t index) {
  const int axis = normalize_axis(given, x);
  const int64_t size = x.size(axis), at = index < 0 ? index + size : index;
  check<ValueError>(at >= 0 && at < size, "select: index {} is out of range for axis {} of {}", index, axis, x.shape());
  Shape shape = x.shape();
  shape.erase(axis);
  return reshape(slice(x, axis, at, at + 1), shape);
}

Tensor Tensor::operator[](int64_t index) const { return select(*this, 0, index); }

Tensor roll(const Tensor& x, int64_t shift, int given) {
  const int axis = normalize_axis(given, x);
  const int64_t size = x.size(axis);
  if (size == 0) return x;
  const int64_t first = (size - shift % size) % size;
  return cat({slice(x, axis, first), slice(x, axis, 0, first)}, axis);
}

Tensor repeat(const Tensor& x, const std::vector<int64_t>& counts) {
  check_defined({{"x", x}});
  const auto given = static_cast<int>(counts.size());
  check<ShapeError>(given >= x.rank() && given <= kMaxRank, "repeat: {} counts for the {} axes of {}", given, x.rank(), x.shape());
  Tensor y = x;
  Shape shape = Shape(std::vector<int64_t>(static_cast<std::size_t>(given - x.rank()), 1)).concat(x.shape());
  for (int axis = 0; axis < given; ++axis) {  // [before, rest] becomes [before, count, rest]
    const int64_t count = counts[static_cast<std::size_t>(axis)], before = shape.slice(0, axis).numel();
    check<ValueError>(count >= 0, "repeat: a count must not be negative, got {}", count);
    const int64_t rest = shape.slice(axis, given).numel();
    shape[axis] = checked_product(shape[axis], count);
    y = reshape(expand(reshape(y, Shape{before, 1, rest}), Shape{before, count, rest}), shape);
  }
  return y;
}

Tensor Tensor::T() const { return transpose(*this); }

}  // namespace gradus
