// Multi-head attention: several attentions side by side, each on its own projections (Vaswani et al., 2017).
#pragma once

#include <optional>

#include "nn/attention/attention.h"
#include "nn/block/qk_norm.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

// The width of a head: `given`, or d_model / heads if that is 0. ValueError, beginning with `op`, unless all are positive and heads
// divides d_model, or the heads are together at most 2⁴⁰ wide.
int64_t head_dim(int64_t d_model, int64_t heads, int64_t given = 0, OpName op = "head_dim");

struct AttentionOptions {
  int64_t d_model;
  int64_t heads;
  int64_t kv_heads = 0;  // heads of keys and values, dividing `heads`; 0: as many
  int64_t head_dim = 0;  // width of a head; 0: d_model / heads
  bool bias = false;     // of the four linear maps
  bool causal = false;   // causal, window and softcap as in ScaledDotOptions
  int64_t window = 0;
  double softcap = 0;
  double scale = 0;                           // of q · k; 0: 1/√head_dim, or what qk_norm asks for
  std::optional<QKNormChoice> qk_norm = {};   // of queries and keys, over each head; none: they are not normalised
  std::optional<NormChoice> value_norm = {};  // of values, over each head; none: they are not normalised
  double dropout = 0;                         // of the result
  double attention_dropout = 0;               // of the probabilities
  std::optional<double> sink = {};            // s of one more term e^s in each softmax, as in ScaledDotOptions; none: no such term
  bool train_sink = false;                    // trains an s for each head, which starts at `sink`
  bool value_residual = false;                // mixes v with AttentionInputs::first_values, if there are any
  double temperature_growth = 0;              // β of a factor of the scores that grows with the query's position: see query_scale
  int64_t temperature_length = 8192;          // L of that
  bool shares_kv = false;                     // has no keys and values, but reads those in AttentionInputs::kv
  bool residual_scores = false;               // adds AttentionInputs::scores to the scores; not with a softcap
  int64_t value_embedding = 0;                // the number of ids for which a table has rows that are added to v; 0: no table
  bool head_gain = false;                     // a trained gain for each head's result (Shleifer, Weston and Ott, 2021)
};

// The keys and values [B, S, G, d] read so far, and their positions [S] or [B, S], so that generation projects only new ones.
struct KeyValueCache {
  Tensor keys, values, positions;
  int64_t length() const { return keys.defined() ? keys.size(1) : 0; }
  // Appends these, and makes each of them all so far. ShapeError unless they fit what it holds; nothing is changed then.
  void extend(Tensor& k, Tensor& v, Tensor& k_positions);
};

// What one call may bring besides x.
struct AttentionInputs {
  Tensor memory = {};              // [B, S, d_model]: keys and values come from here (cross-attention)
  Tensor key_source = {};          // as x: what keys are made from in place of x; not with a memory
  Tensor value_source = {};        // likewise of values
  Tensor mask = {};                // as in ScaledDotOptions, say of padding; over all keys, also those of the cache
  Tensor bias = {};                // as in ScaledDotOptions, say an additive mask
  Tensor positions = {};           // of x in its sequence, i64 [T] or [B, T]; undefined: 0, 1, …, after those of the cache
  Tensor ids = {};                 // of the tokens of x, i64 [B, T], for a value_embedding
  Tensor* first_values = nullptr;  // the values of the stack's first layer; set to this layer's if undefined
  Tensor* scores = nullptr;        // those of the layer below, [B, H, T, S], undefined for none; set to the sum with this layer's
  KeyValueCache* cache = nullptr;  // read and extended; ValueError together with a memory
  KeyValueCache* kv = nullptr;     // all keys and values of this call: set, or with AttentionOptions::shares_kv read
};

// The factor of the queries at positions p (i64, of any shape), in this dtype: 1 + β log(1 + ⌊(p + 1) / L⌋), by which scores grow with
// the number of keys (Nakanishi, 2025; Meta, 2025).
// convention-temperature-position: p + 1 as in Llama 4; Ministral 3 has p, so that its steps come one position later.
Tensor query_scale(const Tensor& positions, double growth, int64_t length, DType dtype);

// Attention over projections of x, whose heads' results are joined and projected again:
//   y = [y₁ … y_H] Wₒᵀ      y_h = attention of the columns of head h in x W_qᵀ, x W_kᵀ and x W_vᵀ
class MultiHeadAttention : public Layer {
  AttentionOptions options_;  // checked, with its sizes filled in, before anything is made from them

 public:
  // `position` may be shared with other layers; nullptr for none. ValueError as of head_dim(), unless kv_heads divides heads, for an
  // option outside its range, and for train_sink without a sink.
  explicit MultiHeadAttention(const AttentionOptions& options, PositionEncodingPtr position = nullptr);

  // x [B, T, d_model] to the same shape. ShapeError unless the inputs fit; the cache is changed only if all goes well.
  Tensor operator()(const Tensor& x, const AttentionInputs& inputs = {});
  void members(Members& m) override;
  std::string describe() const override;

  Linear q_proj, k_proj, v_proj, out_proj;  // k_proj and v_proj are not members with shares_kv, and of one number
  Dropout dropout;
  Parameter head_gain;    // [heads], starts at 1; undefined without the option
  Parameter sink;         // [heads]; undefined unless trained
  Parameter value_table;  // E [value_embedding, G d], starts N(0, 1/d_model); undefined without, as is
  Parameter value_gate;   // W_g [G, c] of the first c = 12 columns, or all if they are fewer, starts at 0
  Parameter value_mix;    // [2], λ₁ and λ₂ of v ← λ₁ v + λ₂ v₁ (Zhou et al., 2024), start at ½; undefined without

 private:
  Tensor forward(const Tensor& x) override { return (*this)(x); }
  double score_scale() const;  // of q · k
  Tensor split_heads(const Tensor& x) const;
  Tensor with_value_embedding(const Tensor& v, const Tensor& x, const Tensor& ids) const;
  Tensor with_first_values(const Tensor& v, const Tensor& first_values) const;
  Tensor sum_of_scores(const Tensor& q, const Tensor& k, const ScaledDotOptions& options, const Tensor& below) const;
  void check_call(const Tensor& x, const AttentionInputs& inputs) const;
  struct Projected { Tensor q, k, v; };  // k and v are undefined with shares_kv
  Projected project(const Tensor& x, const Tensor& source, const Positions& positions, const AttentionInputs& inputs);
  KeyValueCache with_past(const Projected& own, const Tensor& positions, const AttentionInputs& inputs) const;
  ScaledDotOptions scores(const Tensor& q, const Tensor& k, const Positions& positions, const AttentionInputs& inputs);
  Tensor with_positions_of_values(const Tensor& q, const Tensor& k, const Tensor& v, const Positions& positions,
                                  const ScaledDotOptions& options);

  QKNormPtr qk_norm_;    // null without
  LayerPtr value_norm_;  // null without
  PositionEncodingPtr position_;
};

}  // namespace gradus::nn
