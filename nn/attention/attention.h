// Scaled dot-product attention (Vaswani et al., 2017).
#pragma once

#include "core/autograd/fused.h"
#include "core/ops/ops.h"

namespace gradus::nn {

struct ScaledDotOptions {
  bool causal = false;  // a query sees no later key; with fewer queries than keys they are the last positions
  int64_t window = 0;   // if > 0, a query sees only the `window` nearest keys up to its own place (and, when not
                        // causal, as many after it)
  Tensor mask = {};     // i64, broadcasts to [B, H, T, S]: 0 hides a key from a query
  Tensor bias = {};     // added to the scaled scores, broadcasts to [B, H, T, S]; -∞ hides a key as a mask does
  double scale = 0;     // of q · k; 0: 1/√d
  double softcap = 0;   // c > 0: scores become c tanh(score / c), before the bias
  Tensor sink = {};     // s [H]: one more term e^s in each head's softmax, see below
  double dropout = 0;   // of the probabilities
};

// A sink is one more key, of score s and value 0, that every query sees: P_ij = e^score_ij / (e^s + Σ_k e^score_ik). What
// it takes is given to no key, so a head may attend to nothing. s = 0, a 1 in the denominator, is Miller's form (2023); a
// trained s for each head that of the open checkpoints of OpenAI (2025); Xiao et al. (2024) say why a model without one
// makes a sink of its first token. s = -∞ is no sink, but for a query that sees no key, which it leaves NaN. With P, g and y as
// below:
//   dL/ds = -Σ_i P_i,sink (g_i · y_i)

namespace formula {
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options = {});
}
namespace fast {  // attention_kernel.cpp
std::unique_ptr<FastPath> attention(double scale, bool causal, int64_t window);  // of q, k, v and, perhaps, a sink
}

// y = softmax(scale · q kᵀ + M) v, M -∞ where a key is hidden. A query that sees no key gives zeros.
// q [B, T, H, d], k and v [B, S, G, d] with G dividing H: each of G heads of k and v serves H/G heads of q
// (multi-query: G = 1, Shazeer, 2019; grouped-query: Ainslie et al., 2023). Gives y [B, T, H, d].
// ShapeError when they do not fit, or if causal with T > S; DTypeError for a mask that is not i64.
// With P the softmax, g = dL/dy and D_i = g_i · y_i:
//   dL/dv = Pᵀ g      dS = P ⊙ (g vᵀ - D)      dL/dq = scale · dS k      dL/dk = scale · dSᵀ q
// The fast path, for no more than a causal mask and a window, never holds the T × S matrix.
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options = {});

// The two halves apart: P [B, H, T, S], and y = P v [B, T, H, d].
Tensor attention_probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options = {});
Tensor weigh_values(const Tensor& probabilities, const Tensor& v);

// Each of G heads as often as it serves: [B, S, G, d] to [B, S, heads, d], head h being head h / (heads / G) of x.
Tensor repeat_heads(const Tensor& x, int64_t heads);

// The mask of padded sequences: lengths [B] (i64) to [B, 1, 1, positions], 1 where position < length.
Tensor padding_mask(const Tensor& lengths, int64_t positions);

}  // namespace gradus::nn
