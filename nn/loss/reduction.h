// How many losses become one. Losses of f16 are computed in f32 and rounded once, after the reduction.
#pragma once

#include "core/composites/composites.h"

namespace gradus::nn {

// The mean or the sum of all losses, of shape []; or each by itself.
enum class Reduction { mean, sum, none };

// The losses reduced so.
inline Tensor reduce(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::sum ? sum(losses) : mean(losses);
}

}  // namespace gradus::nn
