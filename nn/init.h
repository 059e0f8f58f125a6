// Initialisation of parameters, in place; the same generator gives the same bits.
//
// A layer y = x Wᵀ with W [out, in] has fan_in = in and fan_out = out: each y is a sum of fan_in terms, each dL/dx one of
// fan_out. With independent values of variance s², Var(y) = fan_in s² mean(x²) and Var(dL/dx) = fan_out s² mean((dL/dy)²).
#pragma once

#include <string_view>

#include "core/tensor/random.h"

namespace gradus::nn {

// Draws from N(0, std²). ValueError unless std is finite and not negative; likewise for every gain below.
void init_normal(Tensor& parameter, double std, Generator& generator = default_generator());

// Draws from N(0, std²) truncated at ±bound·std by resampling; the deviation becomes smaller: 0.88 std for a bound of 2.
// ValueError unless std is finite and not negative, and bound >= 0.1.
void init_trunc_normal(Tensor& parameter, double std, double bound = 2, Generator& generator = default_generator());

// Draws from N(0, std²), or uniformly from ±√3 std, which has the same variance (Glorot and Bengio, 2010):
//   std = gain·√(2 / (fan_in + fan_out))      √3 std = gain·√(6 / (fan_in + fan_out))
// A gain of 1 and equal fans keep the variances of y and of dL/dx. ShapeError unless a matrix [out, in].
void init_xavier_normal(Tensor& parameter, double gain = 1, Generator& generator = default_generator());
void init_xavier_uniform(Tensor& parameter, double gain = 1, Generator& generator = default_generator());

// Draws from N(0, std²), or uniformly from ±√3 std, with std = gain / √fan (He et al., 2015): a layer and the gain's
// activation keep the mean square of values (Fan::in) or gradients (Fan::out). ShapeError unless a matrix [out, in].
enum class Fan { in, out };
struct KaimingOptions {
  Fan fan = Fan::in;
  double gain = 1.4142135623730951;  // √2, ReLU's
};
void init_kaiming_normal(Tensor& parameter, KaimingOptions options = {}, Generator& generator = default_generator());
void init_kaiming_uniform(Tensor& parameter, KaimingOptions options = {}, Generator& generator = default_generator());

// Draws from N(0, 1 / fan_in): keeps the mean square of the values (LeCun et al., 1998). ShapeError unless a matrix [out, in].
void init_lecun_normal(Tensor& parameter, Generator& generator = default_generator());

// gain·Q, where the rows of Q [out, in] are orthonormal if out <= in, and its columns otherwise, uniform among all such Q
// (Saxe, McClelland and Ganguli, 2014): no direction grows or shrinks. ShapeError unless a matrix.
void init_orthogonal(Tensor& parameter, double gain = 1, Generator& generator = default_generator());

// The gain of an activation f, about 1 / √mean(f(x)²) for standard normal x: linear and sigmoid 1, tanh 5/3, relu √2,
// leaky-relu √(2 / (1 + slope²)). ValueError for an unknown name, with the nearest, and unless the slope is finite.
double init_gain(std::string_view activation, double slope = 0.01);

}  // namespace gradus::nn
