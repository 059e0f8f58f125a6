#include "nn/linear.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"
#include "nn/init.h"

namespace gradus::nn {

void check_map_sizes(int64_t in, int64_t out, OpName op) {
  check<ValueError>(in > 0 && out > 0, "{}: both sizes must be positive, got {} -> {}", op, in, out);
  check_size("in", in, op);
  check_size("out", out, op);
}

std::string describe_map(const char* type, const Tensor& weight, const Tensor& bias) {
  return fmt::format("{}({} -> {}{})", type, weight.size(1), weight.size(0), bias.defined() ? "" : ", no bias");
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  check_inputs({{"x", x}, {"weight", weight}}, {{"bias", bias}});
  check<ShapeError>(weight.rank() == 2, "linear: expected a weight [out, in], got {}", weight.shape());
  check<ShapeError>(x.rank() > 0 && x.size(-1) == weight.size(1), "linear: expected [..., {}], got {}", weight.size(1), x.shape());
  check<ShapeError>(!bias.defined() || bias.shape() == Shape{weight.size(0)}, "linear: the weight {} needs a bias of shape [{}], got {}",
                    weight.shape(), weight.size(0), bias.defined() ? bias.shape() : Shape{});
  const Tensor y = matmul(x, weight, {.transpose_b = true});
  return bias.defined() ? y + bias : y;
}

Linear::Linear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  check_map_sizes(in, out);
  weight = Tensor(Shape{out, in}, DType::f32);
  init_xavier_uniform(weight);
  if (options.bias) bias = zeros({out});
}

Tensor Linear::forward(const Tensor& x) { return linear(x, weight, bias); }

void Linear::members(Members& m) {
  m.parameter("weight", weight, role_);
  m.parameter("bias", bias, Role::bias);
}

std::string Linear::describe() const { return describe_map("Linear", weight, bias); }

}  // namespace gradus::nn
