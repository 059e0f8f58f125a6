#include "nn/init.h"

#include <cmath>

#include "core/ops/ops.h"

namespace gradus::nn {

void init_normal(Tensor& parameter, double std, Generator& generator) {
  const Tensor standard = randn(parameter.shape(), parameter.dtype(), generator);
  parameter.assign(standard * std);
}

void init_xavier_uniform(Tensor& parameter, double gain, Generator& generator) {
  check<ShapeError>(parameter.rank() == 2, "init_xavier_uniform: needs a matrix [out, in], got shape {}",
                    parameter.shape());
  const double bound = gain * std::sqrt(6.0 / static_cast<double>(parameter.size(0) + parameter.size(1)));
  parameter.assign(uniform(parameter.shape(), -bound, bound, parameter.dtype(), generator));
}

}  // namespace gradus::nn
