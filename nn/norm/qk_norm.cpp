#include "nn/norm/qk_norm.h"

#include "nn/norm/norm_table.h"

namespace gradus::nn {

QKNorm::QKNorm(int64_t head_dim, const std::string& norm)
    : q_norm_(norms().find(norm).value({.width = head_dim})), k_norm_(norms().find(norm).value({.width = head_dim})) {}

// #region norm-qk
std::pair<Tensor, Tensor> QKNorm::forward(const Tensor& q, const Tensor& k) { return {(*q_norm_)(q), (*k_norm_)(k)}; }
// #endregion norm-qk

void QKNorm::members(Members& m) {
  m.child("q_norm", *q_norm_);
  m.child("k_norm", *k_norm_);
}

}  // namespace gradus::nn
