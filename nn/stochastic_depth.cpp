#include "nn/stochastic_depth.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"
#include "nn/dropout.h"

namespace gradus::nn {

// #region regular-stochastic-depth
Tensor stochastic_depth(const Tensor& x, double p) {
  check_inputs({{"x", x}});
  if (check_range("p", p, range::below_one) == 0) return x;
  Shape samples = x.shape();  // [B, 1, …]
  for (int axis = 1; axis < x.rank(); ++axis) samples[axis] = 1;
  return x * dropout(ones(samples, x.dtype()), p);
}

double stochastic_depth_rate(double p, int64_t index, int64_t layers, bool grows) {
  check_range("p", p, range::below_one);
  check<ValueError>(0 <= index && index < layers, "stochastic_depth_rate: of {} layers there is none of index {}", layers, index);
  return grows ? p * static_cast<double>(index + 1) / static_cast<double>(layers) : p;
}
// #endregion regular-stochastic-depth

StochasticDepth::StochasticDepth(double p) : p_(check_range("p", p, range::below_one)) {}

}  // namespace gradus::nn
