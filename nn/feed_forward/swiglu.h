// SwiGLU: the gated feed-forward layer (Shazeer, 2020), without biases as in Llama.
#pragma once

#include "nn/dropout.h"
#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor silu_gate(const Tensor& a, const Tensor& b);
}

// y = SiLU(a) ⊙ b, SiLU(a) = a σ(a); a and b of one shape (ShapeError).
// With g = dL/dy:  dL/da = g ⊙ b ⊙ σ(a)(1 + a(1 - σ(a)))      dL/db = g ⊙ SiLU(a)
Tensor silu_gate(const Tensor& a, const Tensor& b);

struct FeedForwardOptions {
  int64_t d_model;
  int64_t d_ff;
  double dropout = 0;
};

// y = W₂ (SiLU(W₁ x) ⊙ W₃ x), x [..., d_model]; W₁, W₃ [d_ff, d_model], W₂ [d_model, d_ff].
class SwiGLU : public Layer {
 public:
  explicit SwiGLU(const FeedForwardOptions& options);

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string name() const override { return "SwiGLU"; }

  Linear w1, w2, w3;
  Dropout dropout;
};

}  // namespace gradus::nn
