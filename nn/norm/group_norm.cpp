#include "nn/norm/group_norm.h"

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

// #region norm-group
Tensor formula::group_norm(const Tensor& x, int64_t groups, const Tensor& gain, const Tensor& bias, double eps) {
  const Tensor grouped = reshape(x, {x.size(0), groups, -1});  // [N, G, C/G · …]
  const Tensor normalized = normalize(grouped, 2, eps);
  return affine_per_channel(reshape(normalized, x.shape()), gain, bias);
}
// #endregion norm-group

Tensor group_norm(const Tensor& x, int64_t groups, const Tensor& gain, const Tensor& bias, double eps) {
  check_defined({{"x", x}});
  check<ShapeError>(x.rank() >= 2 && x.numel() > 0, "group_norm: expected [N, C, ...], none of them 0, got {}", x.shape());
  check<ShapeError>(groups > 0 && x.size(1) % groups == 0, "group_norm: {} groups do not divide the {} channels of {}", groups, x.size(1),
                    x.shape());
  check_affine(x, {x.size(1)}, gain, bias);
  check_eps(eps);
  if (formula_only()) {
    return in_f32({x, gain, bias}, [=](const Tensors& in) { return formula::group_norm(in[0], groups, in[1], in[2], eps); });
  }
  const int64_t n = x.numel() / (x.size(0) * groups);
  const Tensor normalized = layer_norm(reshape(x, {x.size(0) * groups, n}), {n}, {}, {}, eps);
  return affine_per_channel(reshape(normalized, x.shape()), gain, bias);
}

GroupNorm::GroupNorm(int64_t groups, int64_t channels, GroupNormOptions options)
    : groups_(groups), channels_(channels), eps_(check_eps(options.eps)) {
  check<ValueError>(groups > 0 && channels > 0 && channels % groups == 0, "GroupNorm: {} groups do not divide {} channels; take a divisor",
                    groups, channels);
  check_size("the number of channels", channels);
  make_affine({channels}, options.affine, options.affine);
}

Tensor GroupNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() >= 2 && x.size(1) == channels_, "expected [N, {}, ...], got {}", channels_, x.shape());
  check<ValueError>(x.numel() > x.size(0) * groups_, "one value has no variance: got shape {} for {} groups; take fewer groups", x.shape(),
                    groups_);
  return group_norm(x, groups_, gain, bias, eps_);
}

std::string GroupNorm::describe() const { return fmt::format("GroupNorm({} groups of {}, eps {})", groups_, channels_ / groups_, eps_); }

}  // namespace gradus::nn
