#include "nn/linear.h"

#include "nn/init.h"

namespace gradus::nn {

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor y = matmul(x, weight, {.transpose_b = true});
  return bias.defined() ? y + bias : y;
}

Linear::Linear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  check<ValueError>(in > 0 && out > 0, "Linear: both sizes must be positive, got {} -> {}", in, out);
  weight = Tensor(Shape{out, in}, DType::f32);
  init_xavier_uniform(weight);
  if (options.bias) bias = zeros({out});
}

Tensor Linear::forward(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == weight.size(1), "Linear: expected [..., {}], got {}", weight.size(1),
                    x.shape());
  check<DTypeError>(x.dtype() == weight.dtype(), "Linear: the input is {}, the weight {}; use cast(x, DType::{}) first",
                    x.dtype(), weight.dtype(), weight.dtype());
  return linear(x, weight, bias);
}

void Linear::members(Members& m) {
  m.parameter("weight", weight, role_);
  m.parameter("bias", bias, Role::bias);
}

std::string Linear::describe() const {
  return fmt::format("Linear({} -> {}{})", weight.size(1), weight.size(0), bias.defined() ? "" : ", no bias");
}

}  // namespace gradus::nn
