#include "nn/activation/poly_norm.h"

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// #region act-poly-norm
Tensor formula::poly_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  Tensor y = bias, power = x;
  for (int64_t i = 0; i < 3; ++i) {
    if (i > 0) power = power * x;
    y = y + select(weight, 0, i) * (power / gradus::sqrt(mean(gradus::square(power), -1, true) + eps));
  }
  return y;
}
// #endregion act-poly-norm

Tensor poly_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  check_inputs({{"x", x}, {"weight", weight}, {"bias", bias}});
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0, "poly_norm: needs at least one value along the last axis, got shape {}", x.shape());
  check<ShapeError>(weight.shape() == Shape{3} && bias.rank() == 0, "poly_norm: expected a weight [3] and a bias [], got {} and {}",
                    weight.shape(), bias.shape());
  check_range("eps", eps, range::not_negative);
  return in_f32({x, weight, bias}, [eps](const Tensors& in) { return formula::poly_norm(in[0], in[1], in[2], eps); });
}

PolyNorm::PolyNorm(double eps) : eps_(check_range("eps", eps, range::not_negative)) {
  weight = full({3}, 1.0 / 3);
  bias = zeros({});
}

void PolyNorm::members(Members& m) {
  m.parameter("weight", weight, Role::other);
  m.parameter("bias", bias, Role::bias);
}

}  // namespace gradus::nn
