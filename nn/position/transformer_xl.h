// Relative positions of Transformer-XL (Dai et al., 2019), in the form used by speech encoders.
#pragma once

#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

// The score of query i and key j depends on the key's content and on the distance i - j:
//   score_ij = scale · ((q_i + u) · k_j + (q_i + v) · W_R R_{i-j})
// R_{i-j} are the sinusoidal waves [d_model] of the distance; u and v are learned for each head. Each layer has its own W_R,
// u and v; in the paper all layers share u and v.
class TransformerXLPosition : public PositionEncoding {
 public:
  explicit TransformerXLPosition(const PositionOptions& options);

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;

  Linear distance_proj;                   // W_R [d_model, d_model], without a bias, cut into heads
  Parameter content_bias, distance_bias;  // u and v [heads, head_dim], start at 0
};

}  // namespace gradus::nn
