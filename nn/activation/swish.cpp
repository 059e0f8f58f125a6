#include "nn/activation/swish.h"

#include "core/tape/record.h"
#include "nn/activation/sigmoid.h"

namespace gradus::nn {

using kernels::Curve;

// #region act-swish
Tensor formula::swish(const Tensor& x, const Tensor& beta) { return x * gradus::sigmoid(beta * x); }
// #endregion act-swish

// #region act-silu
Tensor formula::silu(const Tensor& x) { return x * gradus::sigmoid(x); }
// #endregion act-silu

// #region act-mish
Tensor formula::mish(const Tensor& x) { return x * gradus::tanh(softplus(x)); }
// #endregion act-mish

// #region act-hardswish
Tensor formula::hardswish(const Tensor& x) { return x * hardsigmoid(x); }
// #endregion act-hardswish

Tensor swish(const Tensor& x, double beta) {
  return elementwise("swish", {Curve::Kind::swish, beta}, x,
                     [beta](const Tensor& v) { return formula::swish(v, scalar_like(v, beta)); });
}

Tensor swish(const Tensor& x, const Tensor& beta) {
  check<ShapeError>(beta.rank() == 0, "swish: beta must have shape [], got {}", beta.shape());
  check<DTypeError>(beta.dtype() == x.dtype(), "swish: x is {}, so beta must be too, not {}", x.dtype(), beta.dtype());
  if (formula_only()) return formula::swish(x, beta);
  const Curve curve{Curve::Kind::swish, beta.item()};
  return record_fused("swish", kernels::activation("swish", curve, x), {x, beta},
                      [](const Tensors& in) { return formula::swish(in[0], in[1]); },
                      [curve](const Backward& s) {
                        const Tensor &g = s.grad, &v = s.input(0);
                        return Tensors{kernels::activation_backward("swish", curve, g, v),
                                       sum(g * kernels::swish_rate(v, curve.parameter))};
                      });
}

Swish::Swish(SwishOptions options) : fixed_(options.beta) {
  if (options.learned) beta = full({}, options.beta);
}

void Swish::members(Members& m) {
  if (beta.defined()) m.parameter("beta", beta);
}

Tensor silu(const Tensor& x) { return elementwise("silu", {Curve::Kind::swish, 1}, x, formula::silu); }
Tensor mish(const Tensor& x) { return elementwise("mish", {Curve::Kind::mish}, x, formula::mish); }
Tensor hardswish(const Tensor& x) { return elementwise("hardswish", {Curve::Kind::hardswish}, x, formula::hardswish); }

}  // namespace gradus::nn
