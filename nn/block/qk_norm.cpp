#include "nn/block/qk_norm.h"

namespace gradus::nn {

QKNorm::QKNorm(int64_t head_dim, const NormChoice& norm)
    : q_norm_(norm.make({.width = head_dim})), k_norm_(norm.make({.width = head_dim})) {}

// #region norm-qk
std::pair<Tensor, Tensor> QKNorm::forward(const Tensor& q, const Tensor& k) { return {(*q_norm_)(q), (*k_norm_)(k)}; }
// #endregion norm-qk

void QKNorm::members(Members& m) {
  m.child("q_norm", *q_norm_);
  m.child("k_norm", *k_norm_);
}

}  // namespace gradus::nn
