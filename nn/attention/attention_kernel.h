// The fast path of attention: softmax(scale · q kᵀ + mask) v, in which no T × S matrix is ever held.
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

// The queries are the last T of the S positions; each sees at least its own (T <= S, unless all see all).
struct AttentionView {
  double scale;
  bool causal;     // no key after the query's own position
  int64_t window;  // if > 0, only keys nearer than this
};

// Inputs q [B, T, H, d] and k, v [B, S, G, d], G dividing H.
class AttentionKernel final : public FastPath {
 public:
  explicit AttentionKernel(const AttentionView& view) : view_(view) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  AttentionView view_;
  Tensor log_sum_;  // log Σ e^score of each query, [B, H, T]
};

}  // namespace gradus::nn
