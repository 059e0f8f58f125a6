#include "nn/norm/affine.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

// [C] as [C, 1, …], to stand along axis 1 of a tensor of this rank.
Tensor along_channels(const Tensor& values, int rank) {
  if (!values.defined()) return values;
  Shape shape{values.numel()};
  for (int axis = 2; axis < rank; ++axis) shape.push_back(1);
  return reshape(values, shape);
}

}  // namespace

Tensor affine(const Tensor& normalized, const Tensor& gain, const Tensor& bias) {
  const Tensor scaled = gain.defined() ? normalized * gain : normalized;
  return bias.defined() ? scaled + bias : scaled;
}

Tensor affine_per_channel(const Tensor& normalized, const Tensor& gain, const Tensor& bias) {
  return affine(normalized, along_channels(gain, normalized.rank()), along_channels(bias, normalized.rank()));
}

void check_affine(const Tensor& x, const Shape& expected, const Tensor& gain, const Tensor& bias, OpName op) {
  check_inputs({{"x", x}}, {{"gain", gain}, {"bias", bias}}, op);
  for (const auto& [name, values] : {std::pair{"gain", gain}, {"bias", bias}}) {
    if (!values.defined()) continue;
    check<ShapeError>(values.shape() == expected, "{}: x has shape {}, so the {} must have shape {}, got {}", op, x.shape(), name, expected,
                      values.shape());
  }
}

double check_eps(double eps, OpName op) { return check_range("eps", eps, range::not_negative, op); }

void AffineNorm::make_affine(const Shape& shape, bool with_gain, bool with_bias) {
  if (with_gain) gain = ones(shape);
  if (with_bias) bias = zeros(shape);
}

void AffineNorm::members(Members& m) {
  m.parameter("gain", gain, Role::gain);
  m.parameter("bias", bias, Role::bias);
}

}  // namespace gradus::nn
