#include "nn/norm/layer_norm_variants.h"

namespace gradus::nn {
namespace {

// √v with derivative 0, not ∞, at 0.
Tensor safe_sqrt(const Tensor& v) {
  const Tensor zero = eq(v, 0);
  return masked_fill(sqrt(masked_fill(v, zero, 1)), zero, 0);
}

}  // namespace

// #region norm-layer-std
Tensor formula::layer_norm_std(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps, DeviationForm form) {
  const Tensor variance = var(x, -1, form.unbiased ? 1 : 0, true);
  const Tensor divisor = form.eps_outside ? safe_sqrt(variance) + eps : sqrt(variance + eps);
  const Tensor normalized = centered(x, -1) / divisor;
  return affine(normalized, gain, bias);
}
// #endregion norm-layer-std

// #region norm-center-only
Tensor formula::center_only_norm(const Tensor& x, const Tensor& gain, const Tensor& bias) { return affine(centered(x, -1), gain, bias); }
// #endregion norm-center-only

// #region norm-scale-only
Tensor formula::scale_only_norm(const Tensor& x, const Tensor& gain, double eps) {
  const Tensor variance = var(x, -1, 0, true);
  return affine(x / sqrt(variance + eps), gain);
}
// #endregion norm-scale-only

Tensor layer_norm_std(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps, DeviationForm form) {
  check_row(x, gain, bias, form.unbiased ? 2 : 1);
  check_eps(eps);
  return in_f32({x, gain, bias}, [=](const Tensors& in) { return formula::layer_norm_std(in[0], in[1], in[2], eps, form); });
}

Tensor center_only_norm(const Tensor& x, const Tensor& gain, const Tensor& bias) {
  check_row(x, gain, bias);
  return formula::center_only_norm(x, gain, bias);
}

Tensor scale_only_norm(const Tensor& x, const Tensor& gain, double eps) {
  check_row(x, gain, {});
  check_eps(eps);
  return in_f32({x, gain}, [=](const Tensors& in) { return formula::scale_only_norm(in[0], in[1], eps); });
}

LayerNormStd::LayerNormStd(int64_t width, LayerNormStdOptions options)
    : RowNorm("LayerNormStd", width, {options.eps, options.gain, options.bias}), form_(options.form) {
  check<ValueError>(width > 1 || !form_.unbiased, "LayerNormStd: the unbiased deviation needs a width of 2 or more, got {}", width);
}

}  // namespace gradus::nn
