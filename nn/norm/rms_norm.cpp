#include "nn/norm/rms_norm.h"

#include "core/tape/record.h"
#include "nn/norm/rms_norm_kernel.h"

namespace gradus::nn {

// #region norm-rms
Tensor formula::rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  const Tensor root_mean_square = sqrt(mean(square(x), -1, true) + eps);
  const Tensor normalized = x / root_mean_square;
  return gain.defined() ? normalized * gain : normalized;
}
// #endregion norm-rms

Tensor rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0,
                    "rms_norm: needs at least one value along the last axis, got shape {}", x.shape());
  check<ShapeError>(!gain.defined() || (gain.rank() == 1 && gain.size(0) == x.size(-1)),
                    "rms_norm: x has shape {}, so the gain must have shape [{}]", x.shape(), x.size(-1));
  if (formula_only()) return formula::rms_norm(x, gain, eps);
  return fused_rms_norm("rms_norm", x, gain, eps,
                        [=](const Tensor& in, const Tensor& scale) { return formula::rms_norm(in, scale, eps); });
}

Tensor fused_rms_norm(const char* name, const Tensor& x, const Tensor& gain, double eps, RmsFormula formula) {
  const auto [y, inverse_root] = kernels::rms_norm(x, gain, eps);
  const bool scaled = gain.defined();
  return record_fused(
      name, y, scaled ? Tensors{x, gain} : Tensors{x},
      [=](const Tensors& in) { return formula(in[0], scaled ? in[1] : Tensor()); },
      [=, inverse = inverse_root](const Backward& s) {
        const auto d = kernels::rms_norm_backward(s.grad, s.input(0), scaled ? s.input(1) : Tensor(), inverse);
        return scaled ? Tensors{d.x, d.gain} : Tensors{d.x};
      });
}

RMSNorm::RMSNorm(int64_t width, RMSNormOptions options)
    : RowNorm("RMSNorm", width, {.eps = options.eps, .gain = options.gain, .bias = false}),
      one_plus_gain_(options.gain && options.one_plus_gain) {
  if (one_plus_gain_) gain.fill(0);
}

Tensor RMSNorm::apply(const Tensor& x) const { return rms_norm(x, one_plus_gain_ ? 1 + gain : Tensor(gain), eps()); }

}  // namespace gradus::nn
