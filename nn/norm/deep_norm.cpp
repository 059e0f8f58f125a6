#include "nn/norm/deep_norm.h"

#include "core/autograd/grad_mode.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

// #region norm-deep
Tensor formula::deep_norm(const Tensor& x, const Tensor& fx, double alpha, const Tensor& gain, const Tensor& bias,
                          double eps) {
  return layer_norm(alpha * x + fx, {x.size(-1)}, gain, bias, eps);
}
// #endregion norm-deep

Tensor deep_norm(const Tensor& x, const Tensor& fx, double alpha, const Tensor& gain, const Tensor& bias,
                 double eps) {
  check<ShapeError>(x.rank() > 0 && x.shape() == fx.shape(),
                    "deep_norm: x and f(x) need one shape [..., C], got {} and {}", x.shape(), fx.shape());
  if (formula_only()) return formula::deep_norm(x, fx, alpha, gain, bias, eps);
  return layer_norm(alpha * x + fx, {x.size(-1)}, gain, bias, eps);
}

}  // namespace gradus::nn
