// xPos: rotary positions whose scores also fade with distance (Sun et al., 2023).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct XPosOptions {
  double theta = 10000;
  double gamma = 0.4;  // ζ_k = (k/pairs + γ) / (1 + γ): the slower the pair, the slower it fades
  double base = 512;   // positions over which a score fades by ζ_k
};

// RoPE, pair k of q at position n multiplied by ζ_k^(n/base) and of k at m by ζ_k^(-m/base): their product by
// ζ_k^((n-m)/base) <= 1. For causal attention (ValueError): towards later keys it would grow.
class XPos : public PositionEncoding {
 public:
  explicit XPos(const PositionOptions& options, const XPosOptions& xpos = {});

  Tensor on_queries(const Tensor& q, const Tensor& positions) override { return turn(q, positions, growth_); }
  Tensor on_keys(const Tensor& k, const Tensor& positions) override { return turn(k, positions, 1 / growth_); }
  void members(Members& m) override;

 private:
  Tensor turn(const Tensor& x, const Tensor& positions, const Tensor& growth) const;

  Tensor cosines_, sines_, growth_;  // [max_length, head_dim/2], f64; rebuilt and never saved
};

}  // namespace gradus::nn
