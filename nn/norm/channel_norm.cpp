#include "nn/norm/channel_norm.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

int64_t count_along(const Tensor& x, const Axes& axes) {
  int64_t count = 1;
  for (const int axis : axes) count *= x.size(axis);
  return count;
}

}  // namespace

Tensor normalize_by(const Tensor& x, const Tensor& mean, const Tensor& variance, const Tensor& gain, const Tensor& bias, double eps) {
  check_inputs({{"x", x}, {"mean", mean}, {"variance", variance}}, {{"gain", gain}, {"bias", bias}});
  check<ShapeError>(x.rank() >= 2, "normalize_by: expected x [N, C, ...], got {}", x.shape());
  const Shape channels{x.size(1)};
  check<ShapeError>(mean.shape() == channels && variance.shape() == channels,
                    "normalize_by: x has shape {}, so mean and variance must have shape {}, got {} and {}", x.shape(), channels,
                    mean.shape(), variance.shape());
  check_affine(x, channels, gain, bias);
  check_eps(eps);
  const Tensor centered = affine_per_channel(x, {}, -mean);
  const Tensor normalized = affine_per_channel(centered, 1 / sqrt(variance + eps), {});
  return affine_per_channel(normalized, gain, bias);
}

ChannelNorm::ChannelNorm(const char* type, int64_t channels, const ChannelNormOptions& options, Ranks ranks)
    : type_(type), channels_(check_size("the number of channels", channels, type)), eps_(check_eps(options.eps, type)), ranks_(ranks) {
  make_affine({channels}, options.affine, options.affine);
  if (options.track) running.emplace(type, channels, options.running);
}

Tensor ChannelNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() >= ranks_.least && x.rank() <= ranks_.most && x.size(1) == channels_, "expected {} with C = {}, got {}",
                    ranks_.layouts, channels_, x.shape());
  if (running && !training()) return normalize_by(x, running->mean, running->variance, gain, bias, eps_);
  const Axes axes = averaged_axes(x.rank());
  check<ValueError>(count_along(x, axes) > 1, "one value has no variance: got shape {}; give it more to average over, or use eval()",
                    x.shape());
  const Tensor y = apply(x);
  if (running) running->update(x, axes);  // now that nothing can fail any more
  return y;
}

void ChannelNorm::members(Members& m) {
  AffineNorm::members(m);
  if (running) running->members(m);
}

std::string ChannelNorm::describe() const {
  return fmt::format("{}({}, eps {}{})", type_, channels_, eps_, running ? ", running statistics" : "");
}

}  // namespace gradus::nn
