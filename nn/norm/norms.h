// The family of norms that can stand in a Transformer block.
#pragma once

#include "core/family.h"
#include "nn/module.h"

namespace gradus::nn {

struct NormOptions {
  int64_t width;
  double eps = 1e-5;
};

using MakeNorm = std::function<LayerPtr(const NormOptions&)>;
const Family<MakeNorm>& norms();

}  // namespace gradus::nn
