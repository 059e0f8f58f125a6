// The fast path of RMSNorm.
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

// Inputs x [..., n] and γ [n] or undefined.
class RmsNormKernel final : public FastPath {
 public:
  explicit RmsNormKernel(double eps) : eps_(eps) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  double eps_;
  Tensor inverse_root_;  // 1 / √(mean(x²) + ε), one per row
};

}  // namespace gradus::nn
