// What becomes of many losses. Those of f16 are computed in f32 and rounded once, after the reduction.
#pragma once

#include "core/ops/ops.h"

namespace gradus::nn {

enum class Reduction { mean, sum, none };

inline Tensor reduce(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::sum ? sum(losses) : mean(losses);
}

}  // namespace gradus::nn
