// Multi-head attention: several attentions side by side, each on its own projection (Vaswani et al., 2017).
#pragma once

#include <optional>

#include "nn/attention/attention.h"
#include "nn/block/qk_norm.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

// d_head = d / H: heads share the width of the stream. ValueError that begins with `who` unless H divides d.
int64_t head_dim(int64_t d_model, int64_t heads, const char* who = "head_dim");

struct AttentionOptions {
  int64_t d_model;
  int64_t heads;         // d_model = heads · head_dim
  int64_t kv_heads = 0;  // heads of keys and values, dividing `heads`; 0: as many
  bool bias = false;
  bool causal = false;
  int64_t window = 0;    // causal, window, softcap and scale as in ScaledDotOptions
  double softcap = 0;
  double scale = 0;
  std::optional<QKNormChoice> qk_norm = {};  // of queries and keys, over each head; none: they are not normalised
  double dropout = 0;            // of the result
  double attention_dropout = 0;  // of the probabilities
  std::optional<double> sink = {};  // s of one more term e^s in every softmax, as in ScaledDotOptions; none: no such term
  bool train_sink = false;       // an s for each head, trained from there
  bool value_residual = false;   // v is mixed with AttentionInputs::first_values, where there are any
  bool head_gain = false;        // a trained gain for each head's result (Shleifer, Weston and Ott, 2021)
};

// The keys and values of the positions seen so far, [B, S, G, d], and where they stand, [S] or [B, S]: generation
// projects only what is new.
struct KeyValueCache {
  Tensor keys, values, positions;
  int64_t length() const { return keys.defined() ? keys.size(1) : 0; }
  void extend(Tensor& k, Tensor& v, Tensor& k_positions);  // by these, which come back as all so far
};

// What one call may bring besides x.
struct AttentionInputs {
  Tensor memory = {};              // [B, S, d_model]: keys and values come from here (cross-attention)
  Tensor mask = {};                // as in ScaledDotOptions: padding, for one; over all keys, those of the cache too
  Tensor bias = {};                // as in ScaledDotOptions: an additive mask, for one
  Tensor positions = {};           // of x in its sequence, i64 [T] or [B, T]; undefined: 0, 1, … after the cache
  Tensor* first_values = nullptr;  // the values of the stack's first layer; is given this layer's while undefined
  KeyValueCache* cache = nullptr;  // is read and extended; of self-attention only (ValueError)
};

class MultiHeadAttention : public Layer {
  AttentionOptions options_;  // checked, before anything is made by them
  int64_t head_dim_;

 public:
  // `position` is shared by those who use it; nullptr for none. ValueError unless heads divide d_model and kv_heads
  // heads, for a negative window or softcap, a dropout outside [0, 1), and a sink that is to be trained from nowhere.
  explicit MultiHeadAttention(const AttentionOptions& options, PositionEncodingPtr position = nullptr);

  // x [B, T, d_model] to [B, T, d_model]. ShapeError unless the inputs fit.
  Tensor attend(const Tensor& x, const AttentionInputs& inputs = {});
  Tensor forward(const Tensor& x) override { return attend(x); }
  void members(Members& m) override;
  std::string describe() const override;

  Linear q_proj, k_proj, v_proj, out_proj;
  Dropout dropout;
  Parameter head_gain;  // [heads], starts at 1; undefined without
  Parameter sink;       // [heads]; undefined unless trained
  Parameter value_mix;  // λ₁ and λ₂ of v ← λ₁ v + λ₂ v₁, both start at ½; undefined without

 private:
  double score_scale() const;  // of q · k
  Tensor split_heads(const Tensor& x) const;
  Tensor with_first_values(const Tensor& v, Tensor& first_values) const;
  void check_inputs(const Tensor& x, const AttentionInputs& inputs) const;
  Tensor mix(const Tensor& q, const Tensor& k, const Tensor& v, const Positions& positions,
             const AttentionInputs& inputs);

  QKNormPtr qk_norm_;  // null without
  PositionEncodingPtr position_;
};

}  // namespace gradus::nn
