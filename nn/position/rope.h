// RoPE: rotary position embedding (Su et al., 2021).
#pragma once

#include "nn/position/position.h"

namespace gradus::nn {

namespace formula {
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines);
}

// Turns each pair (x_2k, x_2k+1) of every head by the angle of its position and frequency:
//   y_2k   = x_2k cos φ - x_2k+1 sin φ
//   y_2k+1 = x_2k sin φ + x_2k+1 cos φ
// x [B, T, H, d], d even; cosines and sines of φ [T, d/2] or [B, T, d/2] (ShapeError), of x's dtype. The gradient is turned back by φ.
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines);

// φ = p ω_k radians at position p, ω_k = θ^(-2k/d), d the head's width.
class RoPE : public Position {
 public:
  explicit RoPE(const PositionOptions& options, double theta = 10000);  // ValueError for an odd head width

  Tensor on_queries(const Tensor& q, const Tensor& places) override { return turn(q, places); }
  Tensor on_keys(const Tensor& k, const Tensor& places) override { return turn(k, places); }
  void members(Members& m) override;
  std::string name() const override;

 private:
  Tensor turn(const Tensor& x, const Tensor& places) const;  // ValueError for a place outside the tables

  double theta_;
  Tensor cosines_, sines_;  // [max_length, d/2], f64 so that they are right in any dtype; rebuilt and never saved
};

}  // namespace gradus::nn
