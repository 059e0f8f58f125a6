// CoPE: contextual positions: a query counts the keys it cares for (Golovneva et al., 2024).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// Adds q_i · e[p_ij] to the scaled score of query i and key j, whose contextual position p_ij counts the keys from j to i:
//   g_ij = σ(scale · q_i · k_j)      p_ij = min(Σ_{t=j}^{i} g_it, count - 1)
// Between two whole numbers e is interpolated. Its rows start at 0. All heads share them; each layer has its own, as in the
// authors' code. It needs a causal mask (ValueError). Keys that a padding mask hides are counted, too.
class CoPE : public PositionEncoding {
 public:
  explicit CoPE(const PositionOptions& options, int64_t count = 64);  // ValueError unless count > 0

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override { return fmt::format("CoPE({} positions)", weight.size(0)); }

  Parameter weight;  // the rows e, [count, head_dim]
};

}  // namespace gradus::nn
