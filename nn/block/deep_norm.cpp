#include "nn/block/deep_norm.h"

#include <cmath>

#include "nn/init.h"

namespace gradus::nn {

// #region norm-deep
DeepNormScale deep_norm_scale(const StackShape& stack) {
  check_stack(stack);
  const auto layers = static_cast<double>(stack.layers), others = static_cast<double>(stack.paired_layers);
  if (stack.paired_layers == 0) return {std::pow(2 * layers, 0.25), std::pow(8 * layers, -0.25)};
  if (stack.kind == StackKind::decoder) return {std::pow(3 * layers, 0.25), std::pow(12 * layers, -0.25)};
  const double both = std::pow(layers, 4) * others;  // N⁴M
  return {0.81 * std::pow(both, 1.0 / 16), 0.87 * std::pow(both, -1.0 / 16)};
}

// #region block-deepnorm
Stream DeepNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {norm(i)(scale_.alpha * s.x + f(s.x))}; }

void DeepNorm::initialize(const NamedTensors& parameters, const InitChoice&) const {
  for (auto& [path, weight, role] : linear_maps(parameters)) {
    init_xavier_normal(weight, role == Role::scores ? 1 : scale_.beta);
  }
}
// #endregion block-deepnorm
// #endregion norm-deep

// #region convention-deepnorm-alpha
DeepNormScale glm_deep_norm_scale(const StackShape& stack) {
  check_stack(stack);
  const double alpha = std::sqrt(2 * static_cast<double>(stack.layers));
  return {alpha, 1 / alpha};
}
// #endregion convention-deepnorm-alpha

}  // namespace gradus::nn
