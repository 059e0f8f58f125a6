#include "nn/norm/scale_norm.h"

#include <cmath>

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/check_inputs.h"
#include "nn/norm/affine.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::nn {

// #region norm-scale
Tensor formula::scale_norm(const Tensor& x, const Tensor& radius, double eps) {
  const Tensor length = sqrt(sum(square(x), -1, true) + eps);
  return radius * (x / length);
}
// #endregion norm-scale

Tensor scale_norm(const Tensor& x, const Tensor& radius, double eps) {
  check_inputs({{"x", x}, {"radius", radius}});
  check<ShapeError>(radius.rank() == 0, "scale_norm: the radius is one number, of shape [], got shape {}", radius.shape());
  check_row(x, {}, {});
  check_eps(eps);
  if (formula_only()) return in_f32({x, radius}, [=](const Tensors& in) { return formula::scale_norm(in[0], in[1], eps); });
  return radius * rms_norm_l2(x, {}, eps);
}

ScaleNorm::ScaleNorm(int64_t width, double eps) : width_(check_size("the width", width)), eps_(check_eps(eps)) {
  radius = full({}, std::sqrt(static_cast<double>(width)));
}

Tensor ScaleNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == width_, "expected [..., {}], got {}", width_, x.shape());
  return scale_norm(x, radius, eps_);
}

std::string ScaleNorm::describe() const { return fmt::format("ScaleNorm({}, eps {})", width_, eps_); }

}  // namespace gradus::nn
