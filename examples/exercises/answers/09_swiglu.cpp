// Exercise 9, swiglu: the feed-forward layer with a gate, what comes back through the gate, and how wide it is.
//                                                                                                     docs/ch03.md#ffn-swiglu
//   y = W2 (SiLU(W1 x) ⊙ W3 x)      SiLU(a) = a σ(a)
//
// x and y are [B, T, d], each token by itself. w1 and w3 are [h, d], w2 is [d, h]: (W1 x)_i = Σ_j w1[i][j] x_j. No biases.
// All is in f64.
// See also docs/ch03.md#ffn-width.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor swiglu(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  // blank: two views of x, a gate, and back to d numbers; matmul, transpose and sigmoid are there
  const Tensor gate = matmul(x, transpose(w1)), up = matmul(x, transpose(w3));
  return matmul(gate * sigmoid(gate) * up, transpose(w2));
  // end
}

// For y = SiLU(a) ⊙ b: from g = dL/dy to {dL/da, dL/db}, without the tape. All of one shape.
Tensors gate_gradient(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: one gradient for each factor
  const Tensor s = sigmoid(a);
  return {g * b * (s + a * s * (1 - s)), g * a * s};
  // end
}

// h for d numbers: 8 d / 3, cut to a whole number, then up to the next multiple, so that the three matrices have as many numbers
// as the two of a layer without a gate, whose h is 4 d.
int64_t swiglu_width(int64_t d, int64_t multiple) {
  // blank: whole numbers only
  const int64_t width = 8 * d / 3;
  return (width + multiple - 1) / multiple * multiple;
  // end
}
