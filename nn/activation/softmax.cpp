#include "nn/activation/softmax.h"

#include "core/tape/record.h"
#include "core/kernels/kernels.h"
#include "nn/activation/softmax_kernel.h"

namespace gradus::nn {
namespace {

void check_row(const char* op, const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0, "{}: needs at least one value along the last axis, got shape {}", op,
                    x.shape());
}

}  // namespace

// #region act-softmax
Tensor formula::softmax(const Tensor& x) {
  const Tensor shifted = exp(x - kernels::max(x, {x.rank() - 1}));
  return shifted / sum(shifted, -1, true);
}
// #endregion act-softmax

// #region act-log-softmax
Tensor formula::log_softmax(const Tensor& x) { return x - logsumexp(x, -1, true); }
// #endregion act-log-softmax

Tensor softmax(const Tensor& x) {
  check_row("softmax", x);
  if (formula_only()) return formula::softmax(x);
  return record_fused("softmax", kernels::softmax(x), {x}, [](const Tensors& in) { return formula::softmax(in[0]); },
                      [](const Backward& s) { return Tensors{kernels::softmax_backward(s.grad, s.output())}; });
}

Tensor log_softmax(const Tensor& x) {
  check_row("log_softmax", x);
  if (formula_only()) return formula::log_softmax(x);
  return record_fused("log_softmax", kernels::log_softmax(x), {x},
                      [](const Tensors& in) { return formula::log_softmax(in[0]); },
                      [](const Backward& s) { return Tensors{kernels::log_softmax_backward(s.grad, s.output())}; });
}

}  // namespace gradus::nn
