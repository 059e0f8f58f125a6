// What drawn weights are like, on average.
#pragma once

#include <cmath>

#include "core/composites/composites.h"

namespace gradus::test {

inline double mean_of(const Tensor& x) { return mean(cast(x, DType::f64)).item(); }

// In proportion: Approx allows an epsilon of 1 for smaller numbers.
inline bool near(double found, double expected, double share) { return std::abs(found / expected - 1) < share; }

}  // namespace gradus::test
