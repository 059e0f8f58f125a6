#include "nn/norm/dynamic_function.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"
#include "nn/norm/row_norm.h"

namespace gradus::nn {

// #region norm-dyt
Tensor formula::dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias) {
  return gain * gradus::tanh(slope * x) + bias;
}
// #endregion norm-dyt

Tensor dynamic_tanh(const Tensor& x, const Tensor& slope, const Tensor& gain, const Tensor& bias) {
  check_inputs({{"x", x}, {"slope", slope}, {"gain", gain}, {"bias", bias}});
  check<ShapeError>(slope.rank() == 0, "dynamic_tanh: the slope is one number, of shape [], got shape {}", slope.shape());
  check_row(x, gain, bias);
  return formula::dynamic_tanh(x, slope, gain, bias);
}

DynamicTanh::DynamicTanh(int64_t width, double initial_slope) {
  check_size("the width", width);
  slope = full({}, check_range("the slope", initial_slope, range::finite));
  gain = ones({width});
  bias = zeros({width});
}

void DynamicTanh::members(Members& m) {
  m.parameter("slope", slope, Role::other);
  m.parameter("gain", gain, Role::gain);
  m.parameter("bias", bias, Role::bias);
}

std::string DynamicTanh::describe() const { return fmt::format("DynamicTanh({})", gain.numel()); }

// #region norm-derf
Tensor formula::dynamic_erf(const Tensor& x, const Tensor& slope, const Tensor& shift, const Tensor& gain, const Tensor& bias) {
  return gain * erf(slope * x + shift) + bias;
}
// #endregion norm-derf

Tensor dynamic_erf(const Tensor& x, const Tensor& slope, const Tensor& shift, const Tensor& gain, const Tensor& bias) {
  check_inputs({{"x", x}, {"slope", slope}, {"shift", shift}, {"gain", gain}, {"bias", bias}});
  check<ShapeError>(slope.rank() == 0 && shift.rank() == 0,
                    "dynamic_erf: slope and shift are one number each, of shape [], got shapes {} and {}", slope.shape(), shift.shape());
  check_row(x, gain, bias);
  return formula::dynamic_erf(x, slope, shift, gain, bias);
}

DynamicErf::DynamicErf(int64_t width, double initial_slope) {
  check_size("the width", width);
  slope = full({}, check_range("the slope", initial_slope, range::finite));
  shift = zeros({});
  gain = ones({width});
  bias = zeros({width});
}

void DynamicErf::members(Members& m) {
  m.parameter("slope", slope, Role::other);
  m.parameter("shift", shift, Role::other);
  m.parameter("gain", gain, Role::gain);
  m.parameter("bias", bias, Role::bias);
}

std::string DynamicErf::describe() const { return fmt::format("DynamicErf({})", gain.numel()); }

}  // namespace gradus::nn
