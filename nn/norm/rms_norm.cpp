#include "nn/norm/rms_norm.h"

#include "core/autograd/record.h"
#include "core/kernels/rms_norm.h"

namespace gradus::nn {

// #region norm-rms
Tensor formula::rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  const Tensor root_mean_square = sqrt(mean(square(x), -1, true) + eps);
  const Tensor normalized = x / root_mean_square;
  return gain.defined() ? normalized * gain : normalized;
}
// #endregion norm-rms

Tensor rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0, "rms_norm: needs at least one value along the last axis, got shape {}",
                    x.shape());
  check<ShapeError>(!gain.defined() || (gain.rank() == 1 && gain.size(0) == x.size(-1)),
                    "rms_norm: x has shape {}, so the gain must have shape [{}]", x.shape(), x.size(-1));
  if (formula_only()) return formula::rms_norm(x, gain, eps);
  const auto [y, inverse_root] = kernels::rms_norm(x, gain, eps);
  const bool scaled = gain.defined();
  return record_fused(
      "rms_norm", y, scaled ? Tensors{x, gain} : Tensors{x},
      [=](const Tensors& in) { return formula::rms_norm(in[0], scaled ? in[1] : Tensor(), eps); },
      [=, inverse = inverse_root](const Step& s) {
        const auto d = kernels::rms_norm_backward(s.grad, s.input(0), scaled ? s.input(1) : Tensor(), inverse);
        return scaled ? Tensors{d.x, d.gain} : Tensors{d.x};
      });
}

RMSNorm::RMSNorm(int64_t width, RMSNormOptions options) : width_(width), eps_(options.eps) {
  check<ValueError>(width > 0, "RMSNorm: the width must be positive, got {}", width);
  check<ValueError>(options.eps >= 0, "RMSNorm: eps must not be negative, got {}", options.eps);
  if (options.gain) gain = ones({width});
}

Tensor RMSNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == width_, "RMSNorm: expected [..., {}], got {}", width_, x.shape());
  return rms_norm(x, gain, eps_);
}

void RMSNorm::members(Members& m) {
  if (gain.defined()) m.parameter("gain", gain);
}

std::string RMSNorm::name() const { return fmt::format("RMSNorm({}, eps {})", width_, eps_); }

}  // namespace gradus::nn
