// Relative positions on keys and values (Shaw et al., 2018).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// Adds learned rows a^K to the keys and a^V to the values, one for each distance r = clip(j - i, -reach, reach). The scores
// e and the result z of query i are then
//   e_ij = scale · q_i · (k_j + a^K_r)      z_i = Σ_j P_ij (v_j + a^V_r)
// All heads share the rows; each layer has its own, as in the paper.
class ShawPosition : public PositionEncoding {
 public:
  explicit ShawPosition(const PositionOptions& options, int64_t reach = 16);  // ValueError unless reach > 0

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  bool acts_on_values() const override { return true; }
  Tensor on_values(const Tensor& probabilities, const Positions& positions) override;
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("ShawPosition(reach {})", reach_); }

  Parameter key_rows, value_rows;  // a^K and a^V, [2 reach + 1, head_dim], row r + reach for r; start N(0, 0.02²)

 private:
  Tensor row_ids(const Tensor& distances, const Shape& scores) const;  // of each query and key, i64 [B, H, T, S]

  int64_t reach_;
};

}  // namespace gradus::nn
