// The family of norms that can stand in a Transformer block. Its rows are in norm_table.cpp.
#pragma once

#include <optional>

#include "core/options/table.h"
#include "nn/layer.h"

namespace gradus::nn {

struct NormOptions {
  int64_t width;
  std::optional<double> eps = {};  // none: 1e-5, or 1e-6 for layer-std
  bool one_plus_gain = false;      // see RMSNormOptions
};

// Which of NormOptions a norm reads besides the width; it ignores the others.
struct NormTraits {
  bool eps = true;
  bool one_plus_gain = false;
};

// Makes a norm over the last axis of [..., width].
using MakeNorm = Factory<LayerPtr, NormOptions, NormTraits>;

// The norms by name: "layer", "rms", …
const Table<MakeNorm>& norms();

using NormChoice = Choice<norms>;  // a name in the table, or a MakeNorm

}  // namespace gradus::nn
