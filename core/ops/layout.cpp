#include <algorithm>
#include <numeric>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {

// y = x under another shape      dL/dx = dL/dy under the shape of x
Tensor reshape(const Tensor& x, const Shape& shape) {
  if (shape_of(x) == shape) return x;
  return record("reshape", x.detach(shape, "reshape"), {x}, [](const Step& step) { return reshape(step.grad, step.shape(0)); });
}

Tensor reshape(const Tensor& x, const std::vector<int64_t>& sizes) {
  int64_t known = 1;
  const int64_t count = shape_of(x).numel();
  for (int64_t size : sizes) known = checked_product(known, size == -1 ? 1 : size);
  const auto open = std::count(sizes.begin(), sizes.end(), -1);
  check<ShapeError>(open <= 1, "reshape: only one size may be -1");
  check<ShapeError>(open == 0 || (known > 0 && count % known == 0),
                    "reshape: cannot infer -1: {} elements (shape {}) are not divisible by {}", count, x.shape(), known);
  Shape shape;
  for (int64_t size : sizes) shape.push_back(size == -1 ? count / known : size, "reshape");
  return reshape(x, shape);
}

Tensor reshape(const Tensor& x, std::initializer_list<int64_t> sizes) { return reshape(x, std::vector(sizes)); }
Tensor Tensor::reshape(std::initializer_list<int64_t> sizes) const { return gradus::reshape(*this, sizes); }
Tensor Tensor::reshape(const std::vector<int64_t>& sizes) const { return gradus::reshape(*this, sizes); }
Tensor Tensor::clone() const { return gradus::clone(*this); }

// y = x      dL/dx = dL/dy
Tensor clone(const Tensor& x) {
  check_defined({{"x", x}});
  return record("clone", x.detached_copy(), {x}, [](const Step& step) { return step.grad; });
}

// y[… i …] = x[… 0 …]      dL/dx = Σ dL/dy over the stretched axes
Tensor expand(const Tensor& x, const Shape& shape) {
  if (shape_of(x) == shape) return x;
  check<ShapeError>(broadcasts_to(x.shape(), shape), "expand: shape {} does not broadcast to {}", x.shape(), shape);
  return record("expand", kernels::expand(x, shape), {x}, [](const Step& step) { return sum_to(step.grad, step.shape(0)); });
}

Tensor expand(const Tensor& x, const std::vector<int64_t>& sizes) {
  Shape shape;
  const int added = static_cast<int>(sizes.size()) - shape_of(x).rank();
  for (int axis = 0; const int64_t size : sizes) {
    const int own = axis++ - added;
    check<ShapeError>(size >= 0 || (size == -1 && own >= 0),
                      "expand: a size must be 0 or more, or -1 for an axis of x that stays, got {} for {}", size, x.shape());
    shape.push_back(size == -1 ? x.size(own) : size, "expand");
  }
  return expand(x, shape);
}

Tensor expand(const Tensor& x, std::initializer_list<int64_t> sizes) { return expand(x, std::vector(sizes)); }

// y[axes in another order] = x      dL/dx = dL/dy with the axes put back
Tensor permute(const Tensor& x, const std::vector<int>& given) {
  std::vector<int> order, back(given.size()), identity(static_cast<std::size_t>(shape_of(x).rank()));
  for (int axis : given) order.push_back(normalize_axis(axis, x));
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::iota(identity.begin(), identity.end(), 0);
  check<ShapeError>(sorted == identity, "permute: the order must name each of the {} axes of {} once", x.rank(), x.shape());
  if (order == identity) return x;
  for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return record("permute", kernels::permute(x, order), {x}, [back](const Step& step) { return permute(step.grad, back); });
}

// y = [x₁ x₂ …]      dL/dxᵢ = the i-th piece of dL/dy
Tensor cat(const Tensors& parts, int given) {
  check<ValueError>(!parts.empty(), "cat: nothing to join");
  check_defined("parts", parts);
  const Shape& first = parts.front().shape();
  const int axis = normalize_axis(given, parts.front());
  std::vector<int64_t> sizes;
  const DType dtype = common_dtype(parts);
  Tensors joined;
  for (const Tensor& part : parts) {
    Shape like = part.shape();
    if (like.rank() == first.rank()) like[axis] = first[axis];
    check<ShapeError>(like == first, "cat: shape {} does not join {} along axis {}", part.shape(), first, axis);
    sizes.push_back(part.size(axis));
    joined.push_back(cast(part, dtype));
  }
  return record_joint("cat", kernels::cat(joined, axis), joined, [sizes, axis](const Step& step) { return split(step.grad, sizes, axis); });
}

Tensors split(const Tensor& x, const std::vector<int64_t>& sizes, int given) {
  const int axis = normalize_axis(given, x);
  int64_t total = 0;
  for (int64_t size : sizes) {
    check<ValueError>(size >= 0, "split: a size must not be negative, got {}", size);
    total = checked_sum(total, size);
  }
  check<ShapeError>(total == x.size(axis), "split: the sizes sum to {}, but axis {} of {} has {}", total, axis, x.shape(), x.size(axis));
  Tensors parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    parts.push_back(slice(x, axis, start, start + size));
    start += size;
  }
  return parts;
}

namespace {

Tensor strided_scatter(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps);

// y[i] = x[start + i·step]      dL/dx = zeros with dL/dy at start + i·step
Tensor strided_slice(const char* name, const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  return record(name, kernels::strided_slice(x, shape, starts, steps), {x},
                [starts, steps](const Step& step) { return strided_scatter(step.grad, step.shape(0), starts, steps); });
}

// y = zeros with x at start + i·step      dL/dx[i] = dL/dy[start + i·step]
Tensor strided_scatter(const Tensor& x, const Shape& shape, const Strides& starts, const Strides& steps) {
  return record("pad", kernels::strided_scatter(x, shape, starts, steps), {x},
                [starts, steps](const Step& step) { return strided_slice("slice", step.grad, step.shape(0), starts, steps); });
}

}  // namespace

Tensor slice(const Tensor& x, int given, int64_t start, int64_t stop, int64_t step) {
  const int axis = normalize_axis(given, x);
  check<ValueError>(step > 0, "slice: the step must be positive, got {}; use flip to go backwards", step);
  const int64_t size = x.size(axis);
  const auto position = [size](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  const int64_t first = position(start), last = position(stop);
  if (first == 0 && last == size && step == 1) return x;
  Shape shape = x.shape();
  shape[axis] = last > first ? (last - first - 1) / step + 1 : 0;
  Strides starts{}, steps;
  steps.fill(1);
  starts[static_cast<std::size_t>(axis)] = first;
  steps[static_cast<std::size_t>(axis)] = std::min(step, size);
  return strided_slice("slice", x, shape, starts, steps);
}

Tensor flip(const Tensor& x, const Axes& given) {
  Strides starts{}, steps;
  steps.fill(1);
  for (int axis : normalize_axes(given, x)) {
    starts[static_cast<std::size_t>(axis)] = x.size(axis) - 1;
    steps[static_cast<std::size_t>(axis)] = -1;
  }
  return strided_slice("flip", x, x.shape(), starts, steps);
}

Tensor pad(const Tensor& x, const Padding& padding, double value) {
  Shape shape = shape_of(x);
  check<ShapeError>(padding.size() == static_cast<std::size_t>(x.rank()), "pad: {} pairs for the {} axes of {}", padding.size(), x.rank(),
                    shape);
  Strides starts{}, steps;
  steps.fill(1);
  for (int axis = 0; axis < x.rank(); ++axis) {
    const auto [before, after] = padding[static_cast<std::size_t>(axis)];
    check<ValueError>(before >= 0 && after >= 0, "pad: the padding {}, {} of axis {} must not be negative; use slice", before, after, axis);
    shape[axis] = checked_sum(shape[axis], checked_sum(before, after));
    starts[static_cast<std::size_t>(axis)] = before;
  }
  const Tensor around = scalar_like(x, value, "pad"), padded = strided_scatter(x, shape, starts, steps);
  if (value == 0) return padded;
  return where(kernels::strided_scatter(ones(x.shape(), DType::i64), shape, starts, steps), padded, around);
}

}  // namespace gradus
