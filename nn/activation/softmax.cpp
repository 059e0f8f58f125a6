#include "nn/activation/softmax.h"

#include "core/autograd/record.h"
#include "core/kernels/softmax.h"
#include "core/kernels/kernels.h"

namespace gradus::nn {

// #region act-softmax
Tensor formula::softmax(const Tensor& x) {
  const Tensor shifted = exp(x - kernels::max(x, {x.rank() - 1}));
  return shifted / sum(shifted, -1, true);
}
// #endregion act-softmax

Tensor softmax(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) > 0, "softmax: needs at least one value along the last axis, got shape {}",
                    x.shape());
  if (formula_only()) return formula::softmax(x);
  return record_fused("softmax", kernels::softmax(x), {x}, [](const Tensors& in) { return formula::softmax(in[0]); },
                      [](const Step& s) { return Tensors{kernels::softmax_backward(s.grad, s.output())}; });
}

}  // namespace gradus::nn
