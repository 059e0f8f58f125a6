#include "nn/init.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "core/composites/composites.h"
#include "core/options/range.h"
#include "core/options/table.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

struct Fans { double in, out; };

Fans fans_of(const Tensor& parameter, OpName op = {}) {
  check_inputs({{"parameter", parameter}}, op);
  check<ShapeError>(parameter.rank() == 2, "{}: needs a matrix [out, in], got shape {}", op, parameter.shape());
  return {static_cast<double>(parameter.size(1)), static_cast<double>(parameter.size(0))};
}

// #region init-xavier-uniform
// Uniform in ±√3 std has the variance std²: here ±gain·√(6 / (fan_in + fan_out)).
void init_uniform(Tensor& parameter, double std, Generator& generator) {
  const double bound = std::sqrt(3.0) * std;
  parameter.assign(uniform(parameter.shape(), -bound, bound, parameter.dtype(), generator));
}

// #region init-xavier-normal
double xavier_std(const Tensor& parameter, double gain, OpName op = {}) {
  const Fans fan = fans_of(parameter, op);
  check_range("the gain", gain, range::not_negative, op);
  return gain * std::sqrt(2 / (fan.in + fan.out));
}
// #endregion init-xavier-normal
// #endregion init-xavier-uniform

double kaiming_std(const Tensor& parameter, KaimingOptions options, OpName op = {}) {
  const Fans fans = fans_of(parameter, op);
  check_range("the gain", options.gain, range::not_negative, op);
  // #region init-kaiming
  const double fan = options.fan == Fan::in ? fans.in : fans.out;
  const double std = options.gain / std::sqrt(fan);
  // #endregion init-kaiming
  return std;
}

}  // namespace

void init_normal(Tensor& parameter, double std, Generator& generator) {
  check_inputs({{"parameter", parameter}});
  check_range("std", std, range::not_negative);
  const Tensor standard = randn(parameter.shape(), parameter.dtype(), generator);
  parameter.assign(standard * std);
}

// #region init-trunc-normal
void init_trunc_normal(Tensor& parameter, double std, double bound, Generator& generator) {
  check_inputs({{"parameter", parameter}});
  check_range("std", std, range::not_negative);
  check<ValueError>(bound >= 0.1, "init_trunc_normal: the bound must be at least 0.1, got {}: too few draws would lie within; use uniform",
                    bound);
  const auto draw = [&] { return randn(parameter.shape(), parameter.dtype(), generator); };
  Tensor standard = draw();
  for (Tensor outside = abs(standard) > bound; sum(outside).item() > 0; outside = abs(standard) > bound) {
    standard = where(outside, draw(), standard);
  }
  parameter.assign(standard * std);
}
// #endregion init-trunc-normal

void init_xavier_normal(Tensor& parameter, double gain, Generator& generator) {
  init_normal(parameter, xavier_std(parameter, gain), generator);
}

void init_xavier_uniform(Tensor& parameter, double gain, Generator& generator) {
  init_uniform(parameter, xavier_std(parameter, gain), generator);
}

void init_kaiming_normal(Tensor& parameter, KaimingOptions options, Generator& generator) {
  init_normal(parameter, kaiming_std(parameter, options), generator);
}

void init_kaiming_uniform(Tensor& parameter, KaimingOptions options, Generator& generator) {
  init_uniform(parameter, kaiming_std(parameter, options), generator);
}

// #region init-lecun
void init_lecun_normal(Tensor& parameter, Generator& generator) { init_normal(parameter, 1 / std::sqrt(fans_of(parameter).in), generator); }
// #endregion init-lecun

// Gram and Schmidt on the rows of a random matrix, in f64 and twice, which is enough for full precision. Every row is
// divided by a positive length, and so Q is uniform (Mezzadri, 2007).
// #region init-orthogonal
void init_orthogonal(Tensor& parameter, double gain, Generator& generator) {
  fans_of(parameter);
  check_range("the gain", gain, range::not_negative);
  const bool tall = parameter.size(0) > parameter.size(1);
  const int64_t rows = std::min(parameter.size(0), parameter.size(1)), columns = std::max(parameter.size(0), parameter.size(1));
  std::vector<double> q = to_vector(randn({rows, columns}, DType::f64, generator));
  const auto row = [&](int64_t i) { return q.data() + i * columns; };
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t earlier = 0; earlier < 2 * i; ++earlier) {  // all earlier rows, and all of them again
      const double* other = row(earlier % i);
      const double overlap = std::inner_product(row(i), row(i) + columns, other, 0.0);
      for (int64_t j = 0; j < columns; ++j) row(i)[j] -= overlap * other[j];
    }
    const double length = std::sqrt(std::inner_product(row(i), row(i) + columns, row(i), 0.0));
    for (int64_t j = 0; j < columns; ++j) row(i)[j] /= length;
  }
  const Tensor orthonormal = from_vector(q, {rows, columns});
  parameter.assign(gain * (tall ? transpose(orthonormal) : orthonormal));
}
// #endregion init-orthogonal

double init_gain(std::string_view activation, double slope) {
  check_range("the slope", slope, range::finite);
  const Table<double> gains{"activation",
                            {{"linear", "", 1},
                             {"sigmoid", "", 1},
                             {"tanh", "", 5.0 / 3},
                             {"relu", "", std::sqrt(2.0)},
                             {"leaky-relu", "", std::sqrt(2 / (1 + slope * slope))}}};
  return gains.find(activation).value;
}

}  // namespace gradus::nn
