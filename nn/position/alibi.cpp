#include "nn/position/alibi.h"

namespace gradus::nn {

// #region pos-alibi
Tensor alibi_slopes(int64_t heads, AlibiSlopes which) {
  check<ValueError>(heads >= 1 && heads <= 65536, "alibi_slopes: needs from 1 to 65536 heads, got {}", heads);
  int64_t power = 1;  // the largest power of two within `heads`
  while (2 * power <= heads) power *= 2;
  if (which == AlibiSlopes::text || power == heads) {
    const Tensor h = arange(1, static_cast<double>(heads + 1), 1, DType::f64);
    return pow(scalar_like(h, 2), h * (-8.0 / static_cast<double>(heads)));
  }
  const Tensor between = slice(alibi_slopes(2 * power, which), 0, 0, kToEnd, 2);
  return cat({alibi_slopes(power, which), slice(between, 0, 0, heads - power)}, 0);
}

Tensor ALiBi::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double) {
  const Tensor distance = unsqueeze(abs(offsets(q, k, positions)), -3);  // [1, T, S]
  return cast(-reshape(slopes_, {-1, 1, 1}) * distance, q.dtype());
}
// #endregion pos-alibi

ALiBi::ALiBi(const PositionOptions& o, AlibiSlopes which) : PositionEncoding("ALiBi", o), slopes_(alibi_slopes(o.heads, which)) {}

}  // namespace gradus::nn
