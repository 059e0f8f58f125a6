// QK norm: each head's queries and keys normalised before their scores are taken, so that no score can grow with the
// length of a vector (Henry et al., 2020, by length; Dehghani et al., 2023, by layer norm; later by RMSNorm).
#pragma once

#include <utility>

#include "nn/norm/norm_table.h"

namespace gradus::nn {

// q [B, T, H, d] and k [B, S, H, d], each by a norm of its own over d = head_dim, which all heads share.
class QKNorm : public Module {
 public:
  explicit QKNorm(int64_t head_dim, const NormChoice& norm = "rms");

  std::pair<Tensor, Tensor> forward(const Tensor& q, const Tensor& k);  // ShapeError unless both are [..., head_dim]
  void members(Members& m) override;

 private:
  LayerPtr q_norm_, k_norm_;
};

}  // namespace gradus::nn
