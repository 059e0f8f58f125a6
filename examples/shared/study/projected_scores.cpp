#include "examples/shared/study/projected_scores.h"

#include <cmath>

#include "core/core.h"

namespace gradus::examples {

Tensor projected_scores(const Tensor& table, int64_t width, Generator& random, bool shared) {
  const int64_t d = table.size(1);
  const auto projection = [&] { return randn({width, d}, DType::f64, random) / std::sqrt(static_cast<double>(d)); };
  const Tensor w_q = projection(), w_k = shared ? w_q : projection();
  return matmul(matmul(table, w_q, {.transpose_b = true}), matmul(table, w_k, {.transpose_b = true}), {.transpose_b = true});
}

}  // namespace gradus::examples
