// The fast path of layer norm.
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

// Inputs x [..., n values], γ and β of those n values or undefined.
class LayerNormKernel final : public FastPath {
 public:
  LayerNormKernel(int64_t n, double eps) : n_(n), eps_(eps) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  int64_t n_;
  double eps_;
  Tensor mean_, inverse_root_;  // μ and 1 / √(σ² + ε), one per row
};

}  // namespace gradus::nn
