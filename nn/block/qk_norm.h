// QK norm: each head's queries and keys normalised before their scores are taken, so that no score can grow with the
// length of a vector.
#pragma once

#include <utility>

#include "nn/norm/norm_table.h"

namespace gradus::nn {

struct QKNormOptions {
  int64_t head_dim;
  int64_t heads;  // of the queries
  std::optional<double> eps = {};  // as in NormOptions
  bool one_plus_gain = false;
};

class QKNorm : public Module {
 public:
  // q [B, T, H, d] and k [B, S, G, d] to the same, normalised. ShapeError unless d is head_dim, and H as many
  // heads as it was made for.
  virtual std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) = 0;
  virtual double score_scale(double usual) const { return usual; }  // of q · k, where no other was asked for
  virtual bool mixes_tokens() const { return false; }               // as Layer's
};

// Each by a norm of its own over d, which all heads share (Dehghani et al., 2023, with layer norm; later with RMSNorm).
class HeadNorms : public QKNorm {
 public:
  explicit HeadNorms(int64_t head_dim, const NormChoice& norm = "rms");

  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) override;
  void members(Members& m) override;
  bool mixes_tokens() const override { return q_norm_->mixes_tokens(); }

 private:
  LayerPtr q_norm_, k_norm_;
};

// score = g cos(q, k): both brought to length 1, and a scale g for each head, learned as its logarithm, from 10 and never
// above 100, as Liu et al. (2022) have it. Henry et al. (2020), whose idea it is, learn one g itself for all heads, from
// log₂(L² - L), L the length of a sequence: 11.98 for 64.
//   dscore/d(log g) = score, or 0 above 100
class CosineQKNorm : public QKNorm {
 public:
  static constexpr double kStart = 10, kLargest = 100;

  // x / √(‖x‖² + ε) is what is meant by length 1. ValueError unless sizes are positive and ε is not negative.
  explicit CosineQKNorm(int64_t head_dim, int64_t heads, double eps = 1e-12);

  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k) override;
  void members(Members& m) override;
  std::string describe() const override;
  double score_scale(double) const override { return 1; }

  Parameter log_scale;  // log g, [heads]

 private:
  int64_t head_dim_;
  double eps_;
};

using QKNormPtr = std::unique_ptr<QKNorm>;
using MakeQKNorm = Factory<QKNormPtr, QKNormOptions, NormTraits>;
const Table<MakeQKNorm>& qk_norms();        // a row for each norm, and the cosine
using QKNormChoice = Choice<qk_norms>;      // a name in the table, or a MakeQKNorm
MakeQKNorm head_norms(const NormChoice&);   // of a norm of one's own, say

}  // namespace gradus::nn
