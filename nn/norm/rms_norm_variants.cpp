#include "nn/norm/rms_norm_variants.h"

#include <cmath>

#include "core/tape/grad_mode.h"
#include "nn/norm/rms_norm.h"

namespace gradus::nn {

// #region norm-rms-noeps
Tensor formula::rms_norm_noeps(const Tensor& x, const Tensor& gain) {
  const Tensor mean_square = mean(square(x), -1, true);
  const Tensor divisor = sqrt(masked_fill(mean_square, eq(mean_square, 0), 1));
  return affine(x / divisor, gain);
}
// #endregion norm-rms-noeps

// #region norm-rms-l2
Tensor formula::rms_norm_l2(const Tensor& x, const Tensor& gain, double eps) {
  const Tensor length = sqrt(sum(square(x), -1, true) + eps);
  return affine(x / length, gain);
}
// #endregion norm-rms-l2

// #region norm-upcast
// y = x / r ⊙ γ, r = √(mean x² + ε), in f32 where x is f16
Tensor formula::rms_norm_upcast(const Tensor& x, const Tensor& gain, double eps, GainOrder order) {
  const DType own = x.dtype(), wide = own == DType::f16 ? DType::f32 : own;
  const Tensor normalized = formula::rms_norm(cast(x, wide), {}, eps);
  if (!gain.defined()) return cast(normalized, own);
  if (order == GainOrder::after_cast) return cast(normalized, own) * gain;
  return cast(normalized * cast(gain, wide), own);
}
// #endregion norm-upcast

Tensor rms_norm_noeps(const Tensor& x, const Tensor& gain) {
  check_row(x, gain, {});
  return in_f32({x, gain}, [](const Tensors& in) { return formula::rms_norm_noeps(in[0], in[1]); });
}

Tensor rms_norm_l2(const Tensor& x, const Tensor& gain, double eps) {
  check_row(x, gain, {});
  check_eps(eps);
  if (formula_only()) return in_f32({x, gain}, [=](const Tensors& in) { return formula::rms_norm_l2(in[0], in[1], eps); });
  const auto n = static_cast<double>(x.size(-1));
  return rms_norm(x, gain, eps / n) / std::sqrt(n);
}

// A fused op widens f16 by itself, so the fast path is rms_norm's; the formula shows where it rounds.
Tensor rms_norm_upcast(const Tensor& x, const Tensor& gain, double eps, GainOrder order) {
  check_row(x, gain, {});
  check_eps(eps);
  if (formula_only()) return formula::rms_norm_upcast(x, gain, eps, order);
  if (gain.defined() && order == GainOrder::after_cast) return rms_norm_upcast(x, {}, eps) * gain;
  return fused(
      "rms_norm_upcast", {x, gain}, [=](const Tensors& in) { return formula::rms_norm_upcast(in[0], in[1], eps, order); },
      fast::rms_norm(eps));
}

}  // namespace gradus::nn
