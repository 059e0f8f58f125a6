#include "nn/stochastic_depth.h"

#include "nn/dropout.h"

namespace gradus::nn {

// #region regular-stochastic-depth
Tensor stochastic_depth(const Tensor& x, double p, DropUnit unit) {
  if (checked_probability("stochastic_depth", p) == 0) return x;
  Shape units;
  for (int axis = 0; axis < x.rank(); ++axis) units.push_back(axis == 0 && unit == DropUnit::sample ? x.size(0) : 1);
  return x * dropout(ones(units, x.dtype()), p);
}

double stochastic_depth_rate(double p, int64_t index, int64_t layers, bool grows) {
  return grows ? p * static_cast<double>(index + 1) / static_cast<double>(layers) : p;
}
// #endregion regular-stochastic-depth

StochasticDepth::StochasticDepth(double p, DropUnit unit) : p_(checked_probability("StochasticDepth", p)), unit_(unit) {}

}  // namespace gradus::nn
