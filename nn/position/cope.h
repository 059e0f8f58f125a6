// CoPE: contextual positions (Golovneva et al., 2024): a query counts the keys it cares for, so that a position may
// be a word's or a sentence's.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

//   g_ij = σ(scale · q_i · k_j)      p_ij = Σ_{t=j}^{i} g_it, at most count - 1      score + q_i · e[p_ij]
// e of a p between two whole numbers is interpolated between its neighbours. weight [count, head_dim], the rows e,
// shared by heads, starts at 0; each layer has its own, as in the authors' code. Counts up to the query, so it needs a
// causal mask (ValueError); keys that a padding mask hides are counted where they stand between.
class CoPE : public PositionEncoding {
 public:
  explicit CoPE(const PositionOptions& options, int64_t count = 64);  // ValueError unless count > 0

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override { return fmt::format("CoPE({} positions)", weight.size(0)); }

  Parameter weight;
};

}  // namespace gradus::nn
