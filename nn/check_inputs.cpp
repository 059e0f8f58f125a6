#include "nn/check_inputs.h"

namespace gradus::nn {

void check_inputs(std::initializer_list<Argument> required, std::initializer_list<Argument> optional, OpName op) {
  check_defined(required, op);
  const Argument& first = *required.begin();
  for (const auto& arguments : {required, optional}) {
    for (const auto& [name, x] : arguments) {
      if (!x.defined()) continue;
      check<DTypeError>(is_floating(x.dtype()), "{}: needs a floating dtype, got {}; use cast({}, DType::f32) first", op, x.dtype(), name);
      check<DTypeError>(x.dtype() == first.tensor.dtype(), "{}: {} is {}, but {} is {}; use cast({}, DType::{}) first", op, first.name,
                        first.tensor.dtype(), name, x.dtype(), first.name, x.dtype());
    }
  }
}

void check_pair(const Tensor& x, const Tensor& y, const PairNames& names, OpName op) {
  check_inputs({{"y", y}, {"x", x}}, op);  // of two dtypes y's is to change
  if (x.shape() == y.shape()) return;
  const bool reshapes = x.numel() == y.numel();
  throw ShapeError(fmt::format("{}: the {} {} shape {}, the {} {}{}", op, names.x, names.has, x.shape(), names.y, y.shape(),
                               reshapes ? fmt::format("; give one the shape of the other, as by squeeze({}, -1)", names.x) : ""));
}

}  // namespace gradus::nn
