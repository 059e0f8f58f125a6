#include "nn/norm/rms_norm.h"

namespace gradus::nn {

// #region norm-rms
// y = x / r ⊙ γ, r = √(mean(x²) + ε)
// dL/dx = (ĝ - x ⊙ mean(ĝ ⊙ x) / r²) / r, ĝ = g ⊙ γ, g = dL/dy      dL/dγ = Σ g ⊙ x / r over the rows
Tensor formula::rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  const Tensor root_mean_square = sqrt(mean(square(x), -1, true) + eps);
  return affine(x / root_mean_square, gain);
}
// #endregion norm-rms

Tensor rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  check_row(x, gain, {});
  check_eps(eps);
  return fused("rms_norm", {x, gain}, [=](const Tensors& in) { return formula::rms_norm(in[0], in[1], eps); }, fast::rms_norm(eps));
}

RMSNorm::RMSNorm(int64_t width, RMSNormOptions options)
    : RowNorm("RMSNorm", width, {.eps = options.eps, .gain = options.gain, .bias = false}),
      one_plus_gain_(options.gain && options.one_plus_gain) {
  if (one_plus_gain_) gain.fill(0);
}

Tensor RMSNorm::apply(const Tensor& x) const { return rms_norm(x, one_plus_gain_ ? 1 + gain : Tensor(gain), eps()); }

}  // namespace gradus::nn
