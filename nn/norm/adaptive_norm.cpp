#include "nn/norm/adaptive_norm.h"

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/call_scope.h"
#include "nn/check_inputs.h"
#include "nn/norm/affine.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/row_norm.h"

namespace gradus::nn {

// #region norm-adaptive
Tensor formula::adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
  const Tensor normalized = normalize(x, -1, eps);
  return normalized * (1 + scale) + shift;
}
// #endregion norm-adaptive

Tensor adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
  check_inputs({{"x", x}, {"scale", scale}, {"shift", shift}});
  check_row(x, {}, {});
  for (const auto& [name, values] : {std::pair{"scale", scale}, {"shift", shift}}) {
    check<ShapeError>(broadcasts_to(values.shape(), x.shape()), "adaptive_norm: the {} of shape {} does not broadcast to x's {}", name,
                      values.shape(), x.shape());
  }
  check_eps(eps);
  if (formula_only()) {
    return in_f32({x, scale, shift}, [=](const Tensors& in) { return formula::adaptive_norm(in[0], in[1], in[2], eps); });
  }
  return layer_norm(x, {x.size(-1)}, {}, {}, eps) * (1 + scale) + shift;
}

AdaptiveNorm::AdaptiveNorm(int64_t width, int64_t condition_width, AdaptiveNormOptions options)
    : modulation(check_size("condition_width", condition_width), (options.gate ? 3 : 2) * check_size("width", width)),
      width_(width),
      options_(options) {
  check_eps(options.eps);
  if (options.zero_start) modulation.weight.fill(0);
}

AdaptiveNorm::Result AdaptiveNorm::operator()(const Tensor& x, const Tensor& condition) {
  const CallScope call(*this);
  check_defined({{"x", x}, {"condition", condition}}, "forward");
  check<ShapeError>(x.rank() >= 2 && x.size(-1) == width_ && condition.shape() == Shape{x.size(0), modulation.weight.size(1)},
                    "expected x [B, ..., {}] and a condition [B, {}], got {} and {}", width_, modulation.weight.size(1), x.shape(),
                    condition.shape());
  Shape each{x.size(0)};
  while (each.rank() < x.rank() - 1) each.push_back(1);
  each.push_back(width_);
  Tensors parts = split(modulation(condition), width_, -1);
  for (Tensor& part : parts) part = reshape(part, each);
  return {adaptive_norm(x, parts[0], parts[1], options_.eps), options_.gate ? parts[2] : Tensor()};
}

std::string AdaptiveNorm::describe() const {
  return fmt::format("AdaptiveNorm({}{}{})", width_, options_.gate ? ", gate" : "", options_.zero_start ? ", zero start" : "");
}

}  // namespace gradus::nn
