// Kernels of the layers' fast paths: one pass over memory where the formula, op by op, would take many.
// Each states the formula it computes; nn/ pairs it with the same formula made of ops and holds the two equal.
#pragma once

#include <utility>

#include "core/tensor/tensor.h"

namespace gradus::kernels {

// softmax.cpp — over the last axis
Tensor softmax(const Tensor& x);                                  // e^(x-max) / Σ e^(x-max)
Tensor softmax_backward(const Tensor& grad, const Tensor& y);     // y ⊙ (g - Σ g ⊙ y)

// rms_norm.cpp — over the last axis; r = √(mean(x²) + ε)
struct RmsNorm {
  Tensor y;             // x / r ⊙ γ; γ may be undefined
  Tensor inverse_root;  // 1 / r, one a row, kept for backward
};
RmsNorm rms_norm(const Tensor& x, const Tensor& gain, double eps);
struct RmsNormGradients {
  Tensor x;     // (ĝ - x mean(ĝ ⊙ x) / r²) / r,  ĝ = g ⊙ γ
  Tensor gain;  // Σ g ⊙ x / r over the rows
};
RmsNormGradients rms_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& inverse_root);

// gate.cpp — y = SiLU(a) ⊙ b = a σ(a) ⊙ b
Tensor silu_gate(const Tensor& a, const Tensor& b);
std::pair<Tensor, Tensor> silu_gate_backward(const Tensor& grad, const Tensor& a, const Tensor& b);

// rope.cpp — x [B, T, H, d]; the pair (2k, 2k+1) of every head at position t is turned by the angle whose cosine
// and sine are cosines[t, k] and sines[t, k] ([T, d/2], of x's dtype). `back` turns the other way.
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, bool back);

// attention.cpp — softmax(scale · q kᵀ + causal mask) v for q, k, v [B, T, H, d]; no T × T matrix is ever held
struct Attention {
  Tensor y;        // [B, T, H, d]
  Tensor log_sum;  // log Σ e^score of each query, [B, H, T], kept for backward
};
Attention attention(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal);
struct AttentionGradients {
  Tensor q, k, v;
};
AttentionGradients attention_backward(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Attention& forward, double scale, bool causal);

// cross_entropy.cpp — logits [N, V], targets [N]; a negative target is not counted
struct CrossEntropy {
  Tensor losses;    // logZ - z_target + z_loss · logZ², one a row; 0 where not counted
  Tensor log_sums;  // logZ of each row
};
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets, double z_loss);
// dlosses/dlogits = (1 + 2 z_loss logZ) softmax - onehot, times grad [N]
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& targets, const Tensor& log_sums,
                              double z_loss);

// optimize.cpp — one pass over a parameter; see optim/adamw.h for the formula
struct AdamStep {
  double lr, beta1, beta2, eps, decay;
  double correction1, correction2;  // 1 - β₁ᵗ, 1 - β₂ᵗ
};
void adamw(Tensor& parameter, const Tensor& grad, Tensor& first, Tensor& second, const AdamStep& step);

double sum_of_squares(const Tensor& x);  // in f64, independent of the number of threads
void scale(Tensor& x, double factor);    // x *= factor

}  // namespace gradus::kernels
