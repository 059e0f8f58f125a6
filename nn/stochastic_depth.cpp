#include "nn/stochastic_depth.h"

#include "core/tensor/random.h"

namespace gradus::nn {

// #region regular-stochastic-depth
Tensor stochastic_depth(const Tensor& x, double p, DropUnit unit) {
  check<ValueError>(p >= 0 && p < 1, "stochastic_depth: p must be in [0, 1), got {}", p);
  if (p == 0) return x;
  Shape units;
  for (int axis = 0; axis < x.rank(); ++axis) units.push_back(axis == 0 && unit == DropUnit::sample ? x.size(0) : 1);
  const Tensor kept = uniform(units) >= p;
  return x * (cast(kept, x.dtype()) / (1 - p));
}

double stochastic_depth_rate(double p, int64_t index, int64_t layers, bool grows) {
  return grows ? p * static_cast<double>(index + 1) / static_cast<double>(layers) : p;
}
// #endregion regular-stochastic-depth

StochasticDepth::StochasticDepth(double p, DropUnit unit) : p_(p), unit_(unit) {
  check<ValueError>(p >= 0 && p < 1, "StochasticDepth: p must be in [0, 1), got {}", p);
}

}  // namespace gradus::nn
