// Placements that keep what earlier layers gave: each step weighs it anew, in place of the one running sum.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// Attention residuals (Kimi Team, 2026): a sublayer reads a softmax over depth, of the embedding v₀ and of what all sublayers
// below gave. After sublayer l, with its pseudo-query w [d_model], which starts at 0, so that at first all count alike:
//   v_l = f(norm(x))      x ← Σ_i p_i v_i      p = softmax_i(w · norm(v_i)), i = 0 … l
// By blocks, the results of `sublayers_per_source` sublayers are summed to one v, the last of which still grows. With one sublayer
// each v is its own: full attention. The second stream is v [B, T, l + 1, d_model].
class AttentionResidual : public Placement {
 public:
  // ValueError unless sublayers_per_source is positive.
  explicit AttentionResidual(const PlacementOptions& options, int64_t sublayers_per_source = 1);

  bool keeps_more() const override { return true; }
  void members(Members& m) override;  // "norm1", …, of f's input and of the v_i in turn, and "query1", …
  std::string describe() const override { return fmt::format("AttentionResidual({} a source)", sublayers_per_source_); }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  int64_t sublayers_per_source_;
  std::vector<Parameter> queries_;
};

// DenseFormer (Pagliardini et al., 2024): pre-norm, and after block l a weighted sum of the embedding X₀ and of what all blocks
// gave, X_l = block(x), whose weights start at 0, …, 0, 1, so that it begins as pre-norm:
//   x ← Σ_j α_j X_j, j = 0 … l
// The second stream is X [B, T, l + 1, d_model].
class DenseFormer : public Placement {
 public:
  explicit DenseFormer(const PlacementOptions& options);
  bool keeps_more() const override { return true; }
  void members(Members& m) override;  // "norm1", …, "weights"

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  Parameter weights_;  // α [l + 1]
};

// Pre-norm, with a share of the embedding x₀ at the start of each block (Jordan et al., 2024, in modded-nanogpt; nanochat):
//   x ← λ₁ x + λ₂ x₀
// λ₁ starts at 1 and λ₂ at 0, so that it begins as pre-norm. The second stream is x₀.
class InputResidual : public Placement {
 public:
  explicit InputResidual(const PlacementOptions& options);
  bool keeps_more() const override { return true; }
  void members(Members& m) override;  // "norm1", …, "mix"

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  Parameter mix_;  // λ [2]
};

}  // namespace gradus::nn
