#include "nn/block/sinkhorn.h"

#include "core/composites/composites.h"
#include "core/options/range.h"

namespace gradus::nn {

// #region block-sinkhorn
// y = M after `rounds` of M ← M / Σ_j M, M ← M / Σ_i M, from M = e^A on
// The gradient with respect to A is easiest in logarithms: log M = A at first, and a division of the rows by their sums is
//   log M' = log M - log Σ_j M      H = H' - M' ⊙ Σ_j H'      with H = dL/dlog M = M ⊙ dL/dM
// so that each round takes from H its sums over the columns, and then those over the rows, in proportion to M.
Tensor formula::sinkhorn(const Tensor& logits, int64_t rounds) {
  const Tensor rows = logits - logsumexp(logits, -1, true);
  Tensor m = exp(rows - logsumexp(rows, -2, true));  // the first round is in logarithms: after it no sum can round to 0
  for (int64_t round = 1; round < rounds; ++round) {
    m = m / sum(m, -1, true);
    m = m / sum(m, -2, true);
  }
  return m;
}
// #endregion block-sinkhorn

Tensor sinkhorn(const Tensor& logits, int64_t rounds) {
  check_size("the number of rounds", rounds, "sinkhorn");
  check_defined({{"logits", logits}}, "sinkhorn");
  check<ShapeError>(logits.rank() >= 2 && logits.size(-1) == logits.size(-2), "sinkhorn: expected square matrices [..., n, n], got {}",
                    logits.shape());
  return fused("sinkhorn", {logits}, [rounds](const Tensors& in) { return formula::sinkhorn(in[0], rounds); }, fast::sinkhorn(rounds));
}

}  // namespace gradus::nn
