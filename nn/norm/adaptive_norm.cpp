#include "nn/norm/adaptive_norm.h"

#include "core/tape/grad_mode.h"
#include "nn/norm/affine.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

// #region norm-adaptive
Tensor formula::adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
  const Tensor normalized = normalize(x, -1, eps);
  return normalized * (1 + scale) + shift;
}
// #endregion norm-adaptive

Tensor adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
  check<ShapeError>(x.rank() > 0, "adaptive_norm: expected [..., C], got []");
  if (formula_only()) return formula::adaptive_norm(x, scale, shift, eps);
  return layer_norm(x, {x.size(-1)}, {}, {}, eps) * (1 + scale) + shift;
}

AdaptiveNorm::AdaptiveNorm(int64_t width, int64_t condition_width, AdaptiveNormOptions options)
    : modulation(condition_width, (options.gate ? 3 : 2) * width), width_(width), options_(options) {
  check_eps("AdaptiveNorm", options.eps);
  if (options.zero_start) modulation.weight.fill(0);
}

AdaptiveNorm::Result AdaptiveNorm::forward(const Tensor& x, const Tensor& condition) {
  const CallScope call(*this);
  check<ShapeError>(x.rank() >= 2 && x.size(-1) == width_ && condition.rank() == 2 && condition.size(0) == x.size(0),
                    "AdaptiveNorm: expected x [B, ..., {}] and a condition [B, {}], got {} and {}", width_,
                    modulation.weight.size(1), x.shape(), condition.shape());
  Shape each{x.size(0)};
  while (each.rank() < x.rank() - 1) each.push_back(1);
  each.push_back(width_);
  Tensors parts = split(modulation(condition), width_, -1);
  for (Tensor& part : parts) part = reshape(part, each);
  return {adaptive_norm(x, parts[0], parts[1], options_.eps), options_.gate ? parts[2] : Tensor()};
}

std::string AdaptiveNorm::describe() const {
  return fmt::format("AdaptiveNorm({}{}{})", width_, options_.gate ? ", gate" : "",
                     options_.zero_start ? ", zero start" : "");
}

}  // namespace gradus::nn
