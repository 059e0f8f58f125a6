// The family of norms that can stand in a Transformer block.
#pragma once

#include <optional>

#include "core/table.h"
#include "nn/module.h"

namespace gradus::nn {

struct NormOptions {
  int64_t width;
  std::optional<double> eps = {};  // if not given 1e-5, or 1e-6 for layer-std; some norms have none
};

using MakeNorm = std::function<LayerPtr(const NormOptions&)>;
const Table<MakeNorm>& norms();
using NormChoice = Choice<norms>;  // a name in the table, or a MakeNorm

}  // namespace gradus::nn
