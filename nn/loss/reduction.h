// What becomes of many losses.
#pragma once

#include "core/ops/ops.h"

namespace gradus::nn {

enum class Reduction { mean, sum, none };

inline Tensor reduce(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::sum ? sum(losses) : mean(losses);
}

}  // namespace gradus::nn
