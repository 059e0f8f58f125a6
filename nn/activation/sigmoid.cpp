#include "nn/activation/sigmoid.h"

#include "nn/activation/relu.h"

namespace gradus::nn {

using kernels::Curve;

// #region act-sigmoid
Tensor formula::sigmoid(const Tensor& x) { return 1 / (1 + exp(-x)); }
// #endregion act-sigmoid

// #region act-tanh
Tensor formula::tanh(const Tensor& x) { return (exp(x) - exp(-x)) / (exp(x) + exp(-x)); }
// #endregion act-tanh

// #region act-hardsigmoid
Tensor formula::hardsigmoid(const Tensor& x) { return relu6(x + 3) / 6; }
// #endregion act-hardsigmoid

// #region act-softplus
// log(1 + e^x) = log(e^0 + e^x)
Tensor formula::softplus(const Tensor& x) { return logsumexp(stack({zeros_like(x), x}), 0); }
// #endregion act-softplus

Tensor hardsigmoid(const Tensor& x) {
  return elementwise("hardsigmoid", {Curve::Kind::hardsigmoid}, x, formula::hardsigmoid);
}

Tensor softplus(const Tensor& x) { return elementwise("softplus", {Curve::Kind::softplus}, x, formula::softplus); }

}  // namespace gradus::nn
