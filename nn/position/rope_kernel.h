// The fast path of RoPE.
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

// Inputs x [B, T, H, d] and the cosines and sines [T, w/2] or [B, T, w/2], which get no gradient. Pair k of every head is
// (2k, 2k+1), or (k, k + w/2) if `halves`; what is beyond w is copied.
class RopeKernel final : public FastPath {
 public:
  explicit RopeKernel(bool halves) : halves_(halves) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  bool halves_;
};

}  // namespace gradus::nn
