// ALiBi: attention with linear biases (Press et al., 2022).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// The slopes for a number of heads H that is no power of two. `code`, as the authors' code: those of the power of two below
// H, then every second one of the power above. `text`, as the paper's text read alone: 2^(-8h/H) for any H.
enum class AlibiSlopes { code, text };

// The slopes m_h = 2^(-8h/H) of the heads h = 1 … H, f64 [H], if H is a power of two; otherwise as AlibiSlopes says.
// ValueError unless 1 <= H <= 65536.
Tensor alibi_slopes(int64_t heads, AlibiSlopes which = AlibiSlopes::code);

// Subtracts m_h |i - j| from the scaled score of query i and key j, with m_h the alibi_slopes of head h.
class ALiBi : public PositionEncoding {
 public:
  explicit ALiBi(const PositionOptions& options, AlibiSlopes which = AlibiSlopes::code);

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.buffer("slopes", slopes_, false); }

 private:
  Tensor slopes_;  // [H], f64
};

}  // namespace gradus::nn
