#include "nn/position/t5.h"

#include <cmath>

#include "nn/init.h"

namespace gradus::nn {
namespace {

const T5Options& checked(const T5Options& o, OpName op = {}) {
  check<ValueError>(o.buckets >= 4 && o.buckets % 2 == 0, "{}: needs an even number of at least 4 buckets, got {}", op, o.buckets);
  check<ValueError>(o.max_distance > o.buckets / 2, "{}: max_distance must be above {}, half of the buckets, got {}", op, o.buckets / 2,
                    o.max_distance);
  return o;
}

}  // namespace

// #region pos-t5
Tensor t5_buckets(const Tensor& offsets, bool causal, const T5Options& o) {
  checked(o);
  check_defined({{"offsets", offsets}});
  check<DTypeError>(offsets.dtype() == DType::i64, "t5_buckets: offsets must be i64, got {}", offsets.dtype());
  const auto side = static_cast<double>(causal ? o.buckets : o.buckets / 2), exact = std::floor(side / 2);
  const Tensor zero = scalar_like(offsets, 0);
  const Tensor negated = -maximum(offsets, scalar_like(offsets, -0x1p62));  // -INT64_MIN is no i64
  const Tensor distance = causal ? maximum(negated, zero) : maximum(negated, offsets);
  const Tensor start = causal ? zero : (offsets > 0) * side;  // the future has the second half

  const Tensor ratio = cast(maximum(distance, scalar_like(offsets, exact)), DType::f64) / exact;
  const Tensor steps = log(ratio) / std::log(static_cast<double>(o.max_distance) / exact) * (side - exact);
  const Tensor far = minimum(cast(steps, DType::i64) + exact, scalar_like(offsets, side - 1));
  return start + where(distance < exact, distance, far);
}

Tensor T5Position::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double) {
  const Tensor ids = t5_buckets(offsets(q, k, positions), causal_, t5_);
  return bias_of_heads(weight, ids, q.dtype());
}
// #endregion pos-t5

T5Position::T5Position(const PositionOptions& o, const T5Options& t5)
    : PositionEncoding("T5Position", o), t5_(checked(t5)), causal_(o.causal) {
  weight = Tensor(Shape{t5.buckets, o.heads}, DType::f32);
  init_normal(weight, 0.02);
}

std::string T5Position::describe() const {
  return fmt::format("T5Position({} buckets, {})", t5_.buckets, causal_ ? "causal" : "two-sided");
}

}  // namespace gradus::nn
