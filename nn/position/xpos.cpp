#include "nn/position/xpos.h"

#include "core/options/range.h"
#include "nn/position/rope.h"

namespace gradus::nn {

// #region pos-xpos
XPos::XPos(const PositionOptions& o, const XPosOptions& xpos) : PositionEncoding("XPos", o), theta_(xpos.theta), base_(xpos.base) {
  check<ValueError>(o.head_dim % 2 == 0, "XPos: turns pairs, so the head width must be even, got {}", o.head_dim);
  for (const auto& [name, value] : {std::pair{"theta", xpos.theta}, {"gamma", xpos.gamma}, {"base", xpos.base}}) {
    check_range(name, value, range::positive);
  }
  check<ValueError>(o.causal, "XPos: scores grow towards later keys, so it needs causal attention");
  const Tensor place = arange(0, static_cast<double>(o.max_length), 1, DType::f64);
  const auto pairs = static_cast<double>(o.head_dim / 2), centre = static_cast<double>(o.max_length / 2);
  const Tensor share = arange(0, pairs, 1, DType::f64) / pairs;  // k / pairs
  const Tensor zeta = (share + xpos.gamma) / (1 + xpos.gamma);
  const Tensor angle = outer(place, rope_frequencies(o.head_dim, {.theta = xpos.theta}, 0));
  cosines_ = cos(angle);
  sines_ = sin(angle);
  log_growth_ = outer((place - centre) / xpos.base, log(zeta));  // log ζ_k^((n-c)/base)
}

Tensor XPos::turn(const Tensor& x, const Tensor& positions, double sign) const {
  check_defined({{"x", x}}, "XPos");
  check_growth(x.dtype());
  const auto rows = [&](const Tensor& table) { return rows_at(table, positions, DType::f64); };
  const Tensor growth = exp(sign * rows(log_growth_));
  return rope(x, cast(growth * rows(cosines_), x.dtype()), cast(growth * rows(sines_), x.dtype()));
}
// #endregion pos-xpos

void XPos::check_growth(DType dtype) const {
  if (log_growth_.numel() == 0) return;
  const Tensor power = log_growth_[0][0];  // of the fastest pair at the position farthest from the centre
  check<ValueError>(isfinite(cast(exp(power), dtype)).item() == 1,
                    "XPos: of {} positions the first is multiplied by up to e^{:.1f}, more than {} holds; take a wider "
                    "dtype or a smaller max_length",
                    log_growth_.size(0), power.item(), dtype);
}

void XPos::members(Members& m) {
  m.buffer("cosines", cosines_, false);
  m.buffer("sines", sines_, false);
  m.buffer("log_growth", log_growth_, false);
}

}  // namespace gradus::nn
