// Kernel of a fast path: attention.
// softmax(scale · q kᵀ + mask) v for q [B, T, H, d] and k, v [B, S, G, d], G dividing H; no T × S matrix is ever held.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

// The queries are the last T of the S positions; each sees at least its own (T <= S, unless all see all).
struct AttentionView {
  double scale;
  bool causal;     // no key after the query's own place
  int64_t window;  // if > 0, only keys nearer than this
};

struct Attention {
  Tensor y;        // [B, T, H, d]
  Tensor log_sum;  // log Σ e^score of each query, [B, H, T], kept for backward
};
Attention attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionView& view);
struct AttentionGradients {
  Tensor q, k, v;
};
AttentionGradients attention_backward(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Attention& forward, const AttentionView& view);

}  // namespace gradus::kernels
