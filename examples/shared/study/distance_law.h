// Does a score know the distance between two positions, and nothing else?
#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// For scores [T, T], a query's in each row; a diagonal holds the scores of one distance.
struct DistanceLaw {
  double share;   // of the scores' variance that the distance explains: 1 if each diagonal is constant; NaN if all are equal
  double spread;  // the greatest difference within one diagonal
  double range;   // between the greatest and the least mean of a diagonal
};

// `causal`: of the diagonals at and below the main one alone.
DistanceLaw distance_law(const Tensor& scores, bool causal = false);

// In standard deviations from their mean, so that two matrices of scores can be looked at side by side.
std::vector<std::vector<double>> standardized(const Tensor& scores);

}  // namespace gradus::examples
