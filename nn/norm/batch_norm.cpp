#include "nn/norm/batch_norm.h"

#include "core/tape/grad_mode.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

Axes batch_norm_axes(int rank) {
  Axes axes = 0;
  for (int axis = 2; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

// #region norm-batch
Tensor formula::batch_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps) {
  const Tensor normalized = normalize(x, batch_norm_axes(x.rank()), eps);
  return affine_per_channel(normalized, gain, bias);
}

formula::RunningValues formula::batch_norm_running(const RunningValues& before, const Tensor& x, double momentum) {
  const Axes axes = batch_norm_axes(x.rank());
  const Tensor batch_mean = mean(x, axes), unbiased_variance = var(x, axes, 1);
  return {(1 - momentum) * before.mean + momentum * batch_mean, (1 - momentum) * before.variance + momentum * unbiased_variance};
}

Tensor formula::batch_norm_eval(const Tensor& x, const RunningValues& running, const Tensor& gain, const Tensor& bias, double eps) {
  const Tensor centered = affine_per_channel(x, {}, -running.mean);
  return affine_per_channel(centered, gain / sqrt(running.variance + eps), bias);
}
// #endregion norm-batch

Tensor batch_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps) {
  check_defined({{"x", x}});
  check<ShapeError>(x.rank() >= 2 && x.numel() > 0, "batch_norm: expected [N, C, ...], none of them 0, got {}", x.shape());
  check_affine(x, {x.size(1)}, gain, bias);
  check_eps(eps);
  if (formula_only()) {
    return in_f32({x, gain, bias}, [=](const Tensors& in) { return formula::batch_norm(in[0], in[1], in[2], eps); });
  }
  const Tensor channels_first = transpose(x, 0, 1);  // [C, N, …]: a row for each channel
  const int64_t n = x.numel() / x.size(1);
  const Tensor normalized = layer_norm(reshape(channels_first, {x.size(1), n}), {n}, {}, {}, eps);
  return affine_per_channel(transpose(reshape(normalized, channels_first.shape()), 0, 1), gain, bias);
}

}  // namespace gradus::nn
