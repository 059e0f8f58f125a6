// Weights that a script of a fixture makes with the same formula, so that no weights need to be kept.
#pragma once

#include <algorithm>

#include "nn/module.h"
#include "tests/support/check.h"

namespace gradus::test {

inline nn::NamedTensors by_name(nn::Module& model) {
  nn::NamedTensors parameters = model.named_parameters();
  std::sort(parameters.begin(), parameters.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return parameters;
}

// Parameter i, in the order of their names: a wave of its place j, and gains are near 1.
inline void fill_with_waves(nn::Module& model) {
  nn::NamedTensors parameters = by_name(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Tensor& weight = parameters[i].tensor;
    const Tensor j = arange(0, static_cast<double>(weight.numel()), 1, DType::f64);
    const Tensor wave = reshape(sin(1.7 * j + 0.01 * j * j + 0.3 * static_cast<double>(i)), weight.shape());
    weight.assign(parameters[i].role == Role::gain ? 1 + 0.1 * wave : 0.4 * wave);
  }
}

}  // namespace gradus::test
