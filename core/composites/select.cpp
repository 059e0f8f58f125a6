#include <algorithm>
#include <cmath>

#include "core/composites/composites.h"
#include "core/kernels/check_operands.h"

namespace gradus {

Tensor clamp(const Tensor& x, double low, double high) {
  check_defined({{"x", x}});
  check<ValueError>(low <= high, "clamp: needs low <= high, got {} and {}", low, high);
  const auto end = [&](double value) { return scalar_like(x, value, "clamp"); };
  const Tensor raised = std::isinf(low) && low < 0 ? x : where(lt(x, end(low)), end(low), x);
  return std::isinf(high) && high > 0 ? raised : where(gt(raised, end(high)), end(high), raised);
}

// The nearest whole number, by the rounding of a sum so large that its last digit counts ones. What is as large is whole already.
Tensor round(const Tensor& x) {
  check_defined({{"x", x}});
  if (!is_floating(x.dtype())) return x;
  const Tensor wide = cast(x.detach(), DType::f64), large = sign(wide) * 0x1p52;
  return cast(where(abs(wide) < 0x1p52, wide + large - large, wide), x.dtype());
}

Tensor floor(const Tensor& x) {
  check_defined({{"x", x}});
  const Tensor nearest = round(x);
  return nearest - cast(nearest > x, x.dtype());
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value) {
  check_defined({{"x", x}});
  const Tensor filling = scalar_like(x, value, "masked_fill");
  check_choice(mask, filling, x);
  if (mask.shape() != x.shape()) broadcast_shapes(mask.shape(), x.shape());
  return where(mask, filling, x);
}

namespace {

// x of [..., T, S], with 0 where the column [1, S] is `beyond` the one in which the diagonal crosses the row [T, 1].
Tensor zero_beyond(const char* op, const Tensor& x, Tensor (*beyond)(const Tensor&, const Tensor&), int64_t diagonal) {
  check_defined({{"x", x}}, op);
  check<ShapeError>(x.rank() >= 2, "{}: needs a matrix, got shape {}", op, x.shape());
  if (x.numel() == 0) return x;
  const int64_t rows = x.size(-2), columns = x.size(-1);
  const Tensor crossing = unsqueeze(arange(rows), 1) + std::clamp(diagonal, -rows, columns);
  return masked_fill(x, beyond(unsqueeze(arange(columns), 0), crossing), 0);
}

}  // namespace

Tensor tril(const Tensor& x, int64_t diagonal) { return zero_beyond("tril", x, gt, diagonal); }
Tensor triu(const Tensor& x, int64_t diagonal) { return zero_beyond("triu", x, lt, diagonal); }

Tensor take(const Tensor& x, const Tensor& indices) {
  check_defined({{"x", x}, {"indices", indices}});
  check_indices(indices, x.numel());
  return reshape(index_select(flatten(x), 0, flatten(indices)), indices.shape());
}

// The flat positions, in order: a stable sort brings what is not 0 to the front.
Tensor nonzero(const Tensor& x) {
  check_defined({{"x", x}});
  const Tensor chosen = flatten(x != 0);
  Tensor flat = slice(argsort(chosen, 0, true), 0, 0, static_cast<int64_t>(sum(chosen).item()));
  Tensors position;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    const Tensor above = cast(floor(cast(flat, DType::f64) / std::max<int64_t>(x.size(axis), 1)), DType::i64);
    position.push_back(flat - above * x.size(axis));
    flat = above;
  }
  std::reverse(position.begin(), position.end());
  return position.empty() ? zeros({flat.size(0), 0}, DType::i64) : stack(position, 1);
}

namespace {

// The places where the mask is 1, as if flat. Indices look like a mask, too, and are refused as well as can be.
Tensor chosen(const Tensor& mask, OpName op) {
  check<DTypeError>(mask.dtype() == DType::i64, "{}: the mask is {}, expected i64, as x > 0 gives", op, mask.dtype());
  check<ValueError>(all((mask == 0) | (mask == 1)).item() != 0,
                    "{}: a mask holds zeros and ones; to select by indices, use index_select(x, 0, indices), or take(x, indices)", op);
  return flatten(nonzero(flatten(mask)));
}

}  // namespace

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  check_defined({{"x", x}, {"mask", mask}});
  check<ShapeError>(broadcasts_to(mask.shape(), x.shape()), "masked_select: mask {} does not broadcast to {}", mask.shape(), x.shape());
  return take(x, chosen(expand(mask, x.shape()), "masked_select"));
}

Tensor Tensor::operator[](const Tensor& mask) const {
  check_defined({{"x", *this}, {"mask", mask}}, "masked_select");
  check<ShapeError>(mask.rank() > 0 && mask.rank() <= rank() && shape().slice(0, mask.rank()) == mask.shape(),
                    "x[mask]: the mask's shape {} is not that of the first axes of {}; to select by indices, use "
                    "index_select(x, 0, indices), or x[index.item()]",
                    mask.shape(), shape());
  const Shape rest = shape().slice(mask.rank(), rank());
  return index_select(gradus::reshape(*this, Shape{mask.numel()}.concat(rest)), 0, chosen(mask, "x[mask]"));
}

Tensor scatter(const Tensor& x, int axis, const Tensor& indices, const Tensor& values) {
  check_defined({{"x", x}, {"indices", indices}, {"values", values}});
  common_dtype(std::array{x, values});
  check_indices(indices, x.size(normalize_axis(axis, x)));
  const Tensor none = zeros_like(x), written = scatter_add(none, axis, indices, values);
  const Tensor times = scatter_add(zeros(x.shape()), axis, indices, ones(indices.shape()));
  check<ValueError>(any(times > 1).item() == 0, "scatter: two values for one place; use scatter_add, which adds them");
  return where(times > 0, written, x);
}

Sorted sort(const Tensor& x, int given, bool descending) {
  const int axis = normalize_axis(given, x);
  const Tensor indices = argsort(x, axis, descending);
  return {gather(x, axis, indices), indices};
}

Sorted topk(const Tensor& x, int64_t k, int given) {
  const int axis = normalize_axis(given, x);
  check<ValueError>(k >= 0 && k <= x.size(axis), "topk: k = {}, but axis {} of {} has {} elements", k, axis, x.shape(), x.size(axis));
  const Tensor indices = slice(argsort(x, axis, true), axis, 0, k);
  return {gather(x, axis, indices), indices};
}

}  // namespace gradus
