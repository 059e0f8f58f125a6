#include "nn/position/xpos.h"

#include "nn/position/rope.h"

namespace gradus::nn {

// #region pos-xpos
XPos::XPos(const PositionOptions& o, const XPosOptions& xpos) {
  check<ValueError>(o.head_dim > 0 && o.head_dim % 2 == 0, "XPos: turns pairs, so the head width must be even, got {}",
                    o.head_dim);
  check<ValueError>(o.causal, "XPos: scores grow towards later keys, so it needs causal attention");
  const Tensor place = arange(0, static_cast<double>(o.max_length), 1, DType::f64);
  const auto pairs = static_cast<double>(o.head_dim / 2);
  const Tensor share = arange(0, pairs, 1, DType::f64) / pairs;  // k / pairs
  const Tensor zeta = (share + xpos.gamma) / (1 + xpos.gamma);
  const Tensor angle = outer(place, rope_frequencies(o.head_dim, {.theta = xpos.theta}, 0));
  cosines_ = cos(angle);
  sines_ = sin(angle);
  growth_ = exp(outer(place / xpos.base, log(zeta)));  // ζ_k^(n/base)
}

Tensor XPos::turn(const Tensor& x, const Tensor& positions, const Tensor& growth) const {
  const auto rows = [&](const Tensor& table) { return rows_at("XPos", table, positions, x.dtype()); };
  return rope(x, rows(cosines_ * growth), rows(sines_ * growth));
}
// #endregion pos-xpos

void XPos::members(Members& m) {
  m.buffer("cosines", cosines_, false);
  m.buffer("sines", sines_, false);
  m.buffer("growth", growth_, false);
}

}  // namespace gradus::nn
