// xPos: rotary positions whose scores also fade with distance (Sun et al., 2023).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct XPosOptions {
  double theta = 10000;
  double gamma = 0.4;  // γ of ζ_k = (k/pairs + γ) / (1 + γ): the slower a pair k turns, the slower it fades
  double base = 512;   // positions over which a score fades by ζ_k
};

// RoPE whose pair k is also multiplied, in a query at position n by ζ_k^((n-c)/base), and in a key at position m by
// ζ_k^((c-m)/base). So their product is multiplied by ζ_k^((n-m)/base) <= 1, whatever c is. For causal attention only
// (ValueError): towards later keys the factor would grow.
//
// convention-xpos-centre: c = ⌊max_length / 2⌋ here, which keeps factors near 1 and cached keys valid; 0 in the paper,
// ⌈length / 2⌉ of the sequence at hand in the authors' code. Scores are the same.
//
// on_queries and on_keys throw ValueError if the first position's factor, ζ_0^(-c/base), overflows the dtype: by the defaults
// for a max_length above 9065 in f16, 72521 in f32 and 579889 in f64.
class XPos : public PositionEncoding {
 public:
  // ValueError for an odd head_dim, without a causal mask, and unless theta, gamma and base are finite and positive.
  explicit XPos(const PositionOptions& options, const XPosOptions& xpos = {});

  Tensor on_queries(const Tensor& q, const Tensor& positions) override { return turn(q, positions, 1); }
  Tensor on_keys(const Tensor& k, const Tensor& positions) override { return turn(k, positions, -1); }
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("XPos(theta {}, base {})", theta_, base_); }

 private:
  Tensor turn(const Tensor& x, const Tensor& positions, double sign) const;
  void check_growth(DType dtype) const;

  double theta_, base_;
  Tensor cosines_, sines_, log_growth_;  // [max_length, head_dim/2], f64; rebuilt and never saved
};

}  // namespace gradus::nn
