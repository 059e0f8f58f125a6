// ALiBi: attention with linear biases (Press et al., 2022).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// For a number of heads that is no power of two: the authors' code takes the slopes of the power of two below, then
// every second one of the power above; the text alone would be 2^(-8h/H) for any H.
enum class AlibiSlopes { code, text };

// m_h = 2^(-8h/H), h = 1 … H, as f64 [H].
Tensor alibi_slopes(int64_t heads, AlibiSlopes which = AlibiSlopes::code);

// The scaled score - m_h |i - j|: under a causal mask, where j <= i, that is m_h (i - j).
class ALiBi : public PositionEncoding {
 public:
  explicit ALiBi(const PositionOptions& options, AlibiSlopes which = AlibiSlopes::code);

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.buffer("slopes", slopes_, false); }

 private:
  Tensor slopes_;  // [H], f64
};

}  // namespace gradus::nn
