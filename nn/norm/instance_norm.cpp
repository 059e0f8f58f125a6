#include "nn/norm/instance_norm.h"

#include "core/tape/grad_mode.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

Axes instance_norm_axes(int rank) {
  Axes axes;
  for (int axis = 2; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

// #region norm-instance
Tensor formula::instance_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps) {
  const Tensor normalized = normalize(x, instance_norm_axes(x.rank()), eps);
  return affine_per_channel(normalized, gain, bias);
}
// #endregion norm-instance

// Group norm with as many groups as channels.
Tensor instance_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps) {
  check_defined({{"x", x}});
  check<ShapeError>(x.rank() >= 3 && x.numel() > 0, "instance_norm: expected [N, C, L, ...], none of them 0, got {}", x.shape());
  check_affine(x, {x.size(1)}, gain, bias);
  check_eps(eps);
  if (formula_only()) {
    return in_f32({x, gain, bias}, [=](const Tensors& in) { return formula::instance_norm(in[0], in[1], in[2], eps); });
  }
  return group_norm(x, x.size(1), gain, bias, eps);
}

}  // namespace gradus::nn
