// The fast paths of softmax and its logarithm: one input x [..., n].
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

class SoftmaxKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;
};

class LogSoftmaxKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;
};

}  // namespace gradus::nn
