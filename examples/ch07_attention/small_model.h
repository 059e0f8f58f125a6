// A small Transformer whose attention is a function that one gives it: all else is the library's.
#pragma once

#include "examples/shared/mistakes/attentions.h"
#include "nn/nn.h"

namespace gradus::examples {

struct SmallOptions {
  int64_t vocabulary = 256, context = 32, d_model = 48, heads = 3, layers = 2;
  AttentionFunction attention;
};

// x W_q, x W_k and x W_v in heads, queries and keys turned by RoPE, the attention, and back to the stream's width.
class SelfAttention : public nn::Layer {
 public:
  explicit SelfAttention(const SmallOptions& options);
  void members(nn::Members& m) override;

 private:
  Tensor forward(const Tensor& x) override;

  int64_t heads_;
  AttentionFunction attention_;
  nn::Linear q_proj_, k_proj_, v_proj_, out_proj_;
  nn::RoPE position_;
};

// Pre-norm blocks x + attention(norm(x)), x + swiglu(norm(x)) between an embedding and a head.
class SmallModel : public nn::Layer {
 public:
  explicit SmallModel(const SmallOptions& options);
  Tensor blocks(const Tensor& x);  // [B, T, d_model] to the same: what the causality map looks at
  void members(nn::Members& m) override;

 private:
  Tensor forward(const Tensor& ids) override;  // [B, T] to logits [B, T, vocabulary]

  struct Block {
    nn::RMSNorm norm1, norm2;
    SelfAttention attention;
    nn::LayerPtr feed_forward;
  };
  nn::Embedding embedding_;
  std::vector<Block> blocks_;
  nn::RMSNorm final_norm_;
  nn::Linear head_;
};

// So many steps of AdamW on what `loss` says of a batch of its own, the rate rising over the first twenty. Gives each loss.
std::vector<double> fit(nn::Module& model, int64_t steps, const std::function<Tensor()>& loss);

}  // namespace gradus::examples
