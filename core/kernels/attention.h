// Kernel of a fast path: attention.
// Softmax(scale · q kᵀ + causal mask) v for q, k, v [B, T, H, d]; no T × T matrix is ever held
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct Attention {
  Tensor y;        // [B, T, H, d]
  Tensor log_sum;  // log Σ e^score of each query, [B, H, T], kept for backward
};
Attention attention(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal);
struct AttentionGradients {
  Tensor q, k, v;
};
AttentionGradients attention_backward(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Attention& forward, double scale, bool causal);

}  // namespace gradus::kernels
