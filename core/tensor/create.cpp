#include "core/tensor/create.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "core/options/range.h"
#include "core/tensor/half.h"

namespace gradus {
namespace {

void collect(const Nested& values, int depth, Shape& shape, std::vector<double>& flat) {
  if (!values.is_list) {
    check<ShapeError>(depth == shape.rank(), "tensor: the nested lists are ragged: a number at depth {} of {}", depth, shape.rank());
    flat.push_back(values.value);
    return;
  }
  const auto count = static_cast<int64_t>(values.items.size());
  check<ShapeError>(depth < shape.rank() && shape[depth] == count,
                    "tensor: the nested lists are ragged: a list of {} at depth {}, where shape {} was begun", count, depth, shape);
  for (const Nested& item : values.items) collect(item, depth + 1, shape, flat);
}

// `result` with these values, all of which its dtype has to hold.
Tensor assigned(Tensor result, const Tensor& values, OpName op) {
  const std::span from(values.data<double>(), static_cast<std::size_t>(values.numel()));
  for (const double value : from) check_holds(result.dtype(), value, op);
  result.assign(values, op);
  return result;
}

// value_at(0), value_at(1), …
template <typename F> Tensor sequence(int64_t count, DType dtype, F value_at, OpName op = {}) {
  Tensor values(Shape{count}, DType::f64, op), result(Shape{count}, dtype, op);
  double* to = values.mutable_data<double>();
  for (int64_t i = 0; i < count; ++i) to[i] = value_at(i);
  return assigned(result, values, op);
}

Tensor filled(const Shape& shape, double value, DType dtype, OpName op = {}) {
  Tensor result(shape, dtype, op);
  result.fill(value, op);
  return result;
}
Tensor filled_like(const Tensor& x, double value, OpName op = {}) {
  const Shape& shape = shape_of(x, op);
  return filled(shape, value, x.dtype(), op);
}

template <typename T> Tensor copy_of(const std::vector<T>& values, const Shape& shape) {
  check<ShapeError>(static_cast<int64_t>(values.size()) == shape.numel("from_vector"), "from_vector: {} values for shape {}", values.size(),
                    shape);
  Tensor result(shape, dtype_of<T>, "from_vector");
  if (!values.empty()) std::memcpy(result.mutable_bytes(), values.data(), values.size() * sizeof(T));
  return result;
}

// How many values arange has, by `count()`, once it is known that the steps lead to `stop`.
template <typename Number, typename Count> int64_t steps_between(Number start, Number stop, Number step, Count count) {
  check<ValueError>(step != 0 && std::isfinite(step), "arange: the step must be finite and not 0, got {}", step);
  check<ValueError>(step > 0 ? start <= stop : start >= stop, "arange: steps of {} do not lead from {} to {}", step, start, stop);
  const auto steps = count();
  check<ValueError>(static_cast<double>(steps) < 0x1p40, "arange: from {} to {} by {} is {} values", start, stop, step, steps);
  return static_cast<int64_t>(steps);
}

}  // namespace

Tensor tensor(const Nested& values, DType dtype) {
  Shape shape;
  for (const Nested* level = &values; level->is_list; level = &level->items.front()) {
    shape.push_back(static_cast<int64_t>(level->items.size()), "tensor");
    if (level->items.empty()) break;
  }
  std::vector<double> flat;
  collect(values, 0, shape, flat);
  const Tensor result(shape, dtype);
  return assigned(result, from_vector(flat, shape), "tensor");
}

Tensor from_vector(const std::vector<float>& values, const Shape& shape) { return copy_of(values, shape); }
Tensor from_vector(const std::vector<double>& values, const Shape& shape) { return copy_of(values, shape); }
Tensor from_vector(const std::vector<int64_t>& values, const Shape& shape) { return copy_of(values, shape); }

std::vector<double> to_vector(const Tensor& x) {
  std::vector<double> values(static_cast<std::size_t>(shape_of(x).numel()));
  dispatch(x.dtype(), [&]<typename T>() {
    std::transform(x.data<T>(), x.data<T>() + x.numel(), values.begin(),
                   [](const T& value) { return static_cast<double>(static_cast<Compute<T>>(value)); });
  });
  return values;
}

Tensor full(const Shape& shape, double value, DType dtype) { return filled(shape, value, dtype); }

Tensor zeros(const Shape& shape, DType dtype) {
  Tensor result(shape, dtype, "zeros");
  std::memset(result.mutable_bytes(), 0, static_cast<std::size_t>(shape.numel()) * size_of(dtype));
  return result;
}

Tensor ones(const Shape& shape, DType dtype) { return filled(shape, 1, dtype); }
Tensor zeros_like(const Tensor& x) { return filled_like(x, 0); }
Tensor ones_like(const Tensor& x) { return filled_like(x, 1); }
Tensor full_like(const Tensor& x, double value) { return filled_like(x, value); }
Tensor scalar_like(const Tensor& x, Scalar number, OpName op) {
  check_defined({{"the tensor beside the number", x}}, op);
  return filled({}, number.value, x.dtype(), op);
}
Tensor operand_like(const Tensor& x, Scalar number, OpName op) {
  const bool f16 = x.defined() && x.dtype() == DType::f16;
  return f16 ? filled({}, number.value, DType::f32, op) : scalar_like(x, number, op);
}

Tensor Operand::beside(const Operand& other, OpName op) const {
  if (!is_number) return tensor;
  check<ValueError>(!other.is_number, "{}: both operands are numbers; one must be a tensor", op);
  return operand_like(other.tensor, value, op);
}

Tensor arange(double start, double stop, double step, DType dtype) {
  check_range("start", start, range::finite);
  check_range("stop", stop, range::finite);
  const int64_t count = steps_between(start, stop, step, [=] { return std::ceil((stop - start) / step); });
  return sequence(count, dtype, [=](int64_t i) { return start + static_cast<double>(i) * step; });
}

Tensor arange(int64_t count) { return arange(0, count); }
Tensor arange(int64_t start, int64_t stop, int64_t step) {
  using Wide = std::uint64_t;  // it holds the distance of any two i64, and wraps where those overflow
  const Wide first = static_cast<Wide>(start), end = static_cast<Wide>(stop), by = static_cast<Wide>(step);
  const int64_t count = steps_between(start, stop, step, [=] {
    const Wide distance = step > 0 ? end - first : first - end;
    return distance == 0 ? 0 : (distance - 1) / (step > 0 ? by : 0 - by) + 1;
  });
  Tensor result(Shape{count}, DType::i64, "arange");
  auto* values = result.mutable_data<int64_t>();
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(first + static_cast<Wide>(i) * by);
  return result;
}

Tensor linspace(double start, double stop, int64_t count, DType dtype) {
  check<ValueError>(count >= 0, "linspace: the count must not be negative, got {}", count);
  check_range("start", start, range::finite);
  check_range("stop", stop, range::finite);
  return sequence(count, dtype, [=](int64_t i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    return start * (1 - share) + stop * share;
  });
}

Tensor eye(int64_t n, int64_t m, DType dtype) {
  check<ShapeError>(n >= 0 && m >= -1, "eye: the sizes must not be negative, got {} and {}", n, m);
  Tensor result = filled({n, m == -1 ? n : m}, 0, dtype);
  dispatch(dtype, [&]<typename T>() {
    auto* values = result.mutable_data<T>();
    for (int64_t i = 0; i < std::min(n, result.size(1)); ++i) values[i * result.size(1) + i] = T(1);
  });
  return result;
}

}  // namespace gradus
