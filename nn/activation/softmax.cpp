#include "nn/activation/softmax.h"

#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

void check_not_empty(const Tensor& x, OpName op = {}) {
  check_inputs({{"x", x}}, op);
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0, "{}: needs at least one value along the last axis, got shape {}", op, x.shape());
}

}  // namespace

// #region act-softmax
// y = e^(x-c) / Σ e^(x-c), c = max x      dL/dx = y ⊙ (dL/dy - Σ dL/dy ⊙ y)
Tensor formula::softmax(const Tensor& x) {
  const Tensor shifted = exp(x - max(x.detach(), -1, true));
  return shifted / sum(shifted, -1, true);
}
// #endregion act-softmax

// #region act-log-softmax
// y = x - log Σ e^x      dL/dx = dL/dy - e^y ⊙ Σ dL/dy
Tensor formula::log_softmax(const Tensor& x) {
  const Tensor shifted = x - max(x.detach(), -1, true);  // log Σ e^x itself would be rounded to a large max x
  return shifted - logsumexp(shifted, -1, true);
}
// #endregion act-log-softmax

// #region act-solu
// y = x ⊙ p, p = softmax(x)      dL/dx = dL/dy ⊙ p + p ⊙ (dL/dy ⊙ x - Σ dL/dy ⊙ y)
Tensor formula::solu(const Tensor& x) { return x * softmax(x); }
// #endregion act-solu

Tensor softmax(const Tensor& x) {
  check_not_empty(x);
  return fused("softmax", {x}, [](const Tensors& in) { return formula::softmax(in[0]); }, fast::softmax());
}

Tensor log_softmax(const Tensor& x) {
  check_not_empty(x);
  return fused("log_softmax", {x}, [](const Tensors& in) { return formula::log_softmax(in[0]); }, fast::log_softmax());
}

Tensor solu(const Tensor& x) {
  check_not_empty(x);
  return fused("solu", {x}, [](const Tensors& in) { return formula::solu(in[0]); }, fast::solu());
}

constinit const Activation act::softmax{"softmax", "Softmax", nn::softmax};
constinit const Activation act::log_softmax{"log_softmax", "LogSoftmax", nn::log_softmax};
constinit const Activation act::solu{"solu", "SoLU", nn::solu};

}  // namespace gradus::nn
