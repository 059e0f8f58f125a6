// Scaled dot-product attention (Vaswani et al., 2017).
#pragma once

#include "core/autograd/fused.h"
#include "core/composites/composites.h"

namespace gradus::nn {

struct ScaledDotOptions {
  bool causal = false;  // a query sees no later key; with fewer queries than keys, the queries are the last positions
  int64_t window = 0;   // if > 0, a query sees only the `window` nearest keys up to its place and, if not causal, after it
  Tensor mask = {};     // i64, broadcasts to [B, H, T, S]: 1 shows a key to a query, 0 hides it
  Tensor bias = {};     // added to the scaled scores, broadcasts to [B, H, T, S]; -∞ hides a key as a mask does
  double scale = 0;     // of q · k; 0: 1/√d
  double softcap = 0;   // c > 0: scores become c tanh(score / c), before the bias
  Tensor sink = {};     // s [H]: one more term e^s in each head's softmax: see attention()
  double dropout = 0;   // the share of the probabilities that is dropped
};

namespace formula {
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options = {});
}
namespace fast {
// Takes q, k, v and perhaps a sink: attention_kernel.cpp.
std::unique_ptr<FastPath> attention(double scale, bool causal, int64_t window);
}  // namespace fast

// c tanh(x / c): near x where |x| is far below c > 0, and between -c and c everywhere.
Tensor softcap(const Tensor& x, double c);

// Each query's mean of the values v, weighted by the softmax P of its scores; M is -∞ where a key is hidden, else 0:
//   y = P v      P = softmax(scale · q kᵀ + M)
// q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] to y [B, T, H, e], where G divides H: each of the G heads of k and v serves
// H/G heads of q (multi-query: G = 1, Shazeer, 2019; grouped-query: Ainslie et al., 2023). The values may have a width e of
// their own. A query that sees no key gives zeros. Heads come after positions: PyTorch's [B, H, T, d] is transpose(x, 1, 2).
// A sink is one more key, of score s and value 0, that every query sees (s = 0: Miller, 2023; a trained s for each head:
// OpenAI, 2025), so that a head may attend to nothing. With g = dL/dy, y the result of attention:
//   P_ij = e^score_ij / (e^s + Σ_k e^score_ik)      dL/ds = -Σ_i P_i,sink (g_i · y_i)
// With s = -∞ there is no sink, but a query that sees no key gives NaN.
// The fast path never holds the T × S matrix; it is taken without mask, bias, softcap and dropout, and with a window if T <= S.
// ShapeError if they do not fit, or if causal with T > S; DTypeError for a mask that is not i64, or where dtypes differ;
// ValueError for a mask of other numbers than 0 and 1, and for an option outside its range.
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options = {});

// The two halves of attention(): the probabilities P [B, H, T, S], and y = P v [B, T, H, e]. Errors as of attention().
Tensor attention_probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options = {});
Tensor weigh_values(const Tensor& probabilities, const Tensor& v);

// Repeats each of G heads heads / G times: x [B, S, G, d] to [B, S, heads, d], whose head h is head ⌊h G / heads⌋ of x.
// ShapeError unless G divides heads.
Tensor repeat_heads(const Tensor& x, int64_t heads);

// The mask of padded sequences of these lengths: [B] (i64) to [B, 1, 1, positions], 1 where position < length, else 0.
// ShapeError, DTypeError; ValueError for a negative number of positions, and for a length that is negative or above it.
Tensor padding_mask(const Tensor& lengths, int64_t positions);

}  // namespace gradus::nn
