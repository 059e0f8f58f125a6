// Relative positions of Transformer-XL (Dai et al., 2019), in the form used by speech encoders.
#pragma once

#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

//   score_ij = scale · ((q_i + u) · k_j + (q_i + v) · W_R R_{i-j})
// R sinusoidal [d_model], W_R [d_model, d_model] without a bias, cut into heads; u and v [heads, head_dim], learned
// for each head: what a query asks whatever it is, of contents and of distances. u and v start at 0. Each layer has its
// own W_R, as in the paper, and its own u and v, which the paper's formula lets all layers share.
class TransformerXLPosition : public PositionEncoding {
 public:
  explicit TransformerXLPosition(const PositionOptions& options);

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;

  Linear distance_proj;                   // W_R
  Parameter content_bias, distance_bias;  // u, v
};

}  // namespace gradus::nn
