#include "nn/activation/activation.h"

#include "core/tape/record.h"

namespace gradus::nn {

Tensor elementwise(const char* name, const kernels::Curve& curve, const Tensor& x, const UnaryFunction& formula) {
  if (formula_only()) return formula(x);
  return record_fused(name, kernels::activation(name, curve, x), {x},
                      [formula](const Tensors& in) { return formula(in[0]); },
                      [name, curve](const Backward& s) {
                        return Tensors{kernels::activation_backward(name, curve, s.grad, s.input(0))};
                      });
}

Tensor lower_branch(const Tensor& x) { return masked_fill(x, x > 0, 0); }

}  // namespace gradus::nn
