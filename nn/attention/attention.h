// Scaled dot-product attention and its multi-head layer (Vaswani et al., 2017).
#pragma once

#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/position/position.h"

namespace gradus::nn {

struct ScaledDotOptions {
  bool causal = true;  // a query sees no later key; with fewer queries than keys they are the last positions
};

namespace formula {
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options = {});
}

// y = softmax(q kᵀ / √d + M) v, M the causal mask: -∞ where a key is later than its query.
// q [B, T, H, d], k and v [B, S, H, d] to y [B, T, H, d]. ShapeError when they do not fit, without keys, or if causal with T > S.
// With P the softmax, g = dL/dy and D_i = g_i · y_i:
//   dL/dv = Pᵀ g      dS = P ⊙ (g vᵀ - D)      dL/dq = dS k / √d      dL/dk = dSᵀ q / √d
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options = {});

struct AttentionOptions {
  int64_t d_model;
  int64_t heads;  // d_model = heads · d_head
  bool bias = false;
  bool causal = true;
  double dropout = 0;  // on the result
};

// Projects x [B, T, d_model] to queries, keys and values of each head, lets them attend, and projects back.
class MultiHeadAttention : public Layer {
 public:
  // `position` acts on the heads' queries and keys; it must outlive this layer. ValueError unless heads divide d_model.
  MultiHeadAttention(const AttentionOptions& options, Position* position);

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string name() const override;

  Linear q_proj, k_proj, v_proj, out_proj;
  Dropout dropout;

 private:
  AttentionOptions options_;
  Position* position_;
};

}  // namespace gradus::nn
