#include "nn/position/t5.h"

#include <cmath>

#include "nn/init.h"

namespace gradus::nn {

// #region pos-t5
Tensor t5_buckets(const Tensor& offsets, bool causal, const T5Options& o) {
  const auto side = static_cast<double>(causal ? o.buckets : o.buckets / 2), exact = std::floor(side / 2);
  const Tensor zero = scalar_like(offsets, 0);
  const Tensor distance = causal ? maximum(-offsets, zero) : abs(offsets);
  const Tensor start = causal ? zero : (offsets > 0) * side;  // the future has the second half

  const Tensor ratio = cast(maximum(distance, scalar_like(offsets, exact)), DType::f64) / exact;
  const Tensor steps = log(ratio) / std::log(static_cast<double>(o.max_distance) / exact) * (side - exact);
  const Tensor far = minimum(cast(steps, DType::i64) + exact, scalar_like(offsets, side - 1));
  return start + where(distance < exact, distance, far);
}

Tensor T5Position::on_scores(const Tensor& q, const Tensor&, const Positions& positions, double) {
  return bias_of_heads(weight, t5_buckets(key_offsets(positions), causal_, options_), q.dtype());
}
// #endregion pos-t5

T5Position::T5Position(const PositionOptions& o, const T5Options& t5) : options_(t5), causal_(o.causal) {
  check<ValueError>(t5.buckets >= 4 && t5.buckets % 2 == 0,
                    "T5Position: needs an even number of at least 4 buckets, got {}", t5.buckets);
  check<ValueError>(t5.max_distance > t5.buckets / 2,
                    "T5Position: max_distance must be above {}, half of the buckets, got {}", t5.buckets / 2,
                    t5.max_distance);
  weight = Tensor(Shape{t5.buckets, o.heads}, DType::f32);
  init_normal(weight, 0.02);
}

std::string T5Position::describe() const {
  return fmt::format("T5Position({} buckets, {})", options_.buckets, causal_ ? "causal" : "two-sided");
}

}  // namespace gradus::nn
