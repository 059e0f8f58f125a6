// Exercise 9, swiglu: the feed-forward layer with a gate, what comes back through the gate, and how wide it is.
//                                                                                                     docs/ch03.md#ffn-swiglu
//   y = W2 (SiLU(W1 x) ⊙ W3 x)      SiLU(a) = a σ(a)
//
// x and y are [B, T, d], each token by itself. w1 and w3 are [h, d], w2 is [d, h]: (W1 x)_i = Σ_j w1[i][j] x_j. No biases.
// All is in f64.
// See also docs/ch03.md#ffn-width.
//! title: The SwiGLU layer, its gate and its width
//! minutes: 30
//! needs: activations
//! done: Twice W3 is twice y: SiLU is around the gate alone. No loss shows it if it is not so.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor swiglu(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  // blank: two views of x, a gate, and back to d numbers; matmul, transpose and sigmoid are there
  //! If W3 is doubled, what becomes of y? And if W1 is?
  //! Two views of x, both h wide; one of them goes through SiLU; they are multiplied number by number; then W2.
  //! x and y are rows of d numbers, so a weight [h, d] multiplies from the right, transposed: x Wᵀ.
  //! y = W2 (SiLU(W1 x) ⊙ W3 x), with SiLU(a) = a σ(a).
  const Tensor gate = matmul(x, transpose(w1)), up = matmul(x, transpose(w3));
  //~ 2 ffn/gate-exchanged: const Tensor gate = matmul(x, transpose(w3)), up = matmul(x, transpose(w1));
  //? Which of the two views goes through SiLU?
  //= the gate is W3 x, and the value W1 x
  //@ mlx-lm PR767
  //~ 11 ffn/w1-twice: const Tensor gate = matmul(x, transpose(w1)), up = matmul(x, transpose(w1));
  //? How many matrices does y depend on?
  //= W1 makes both views
  //~ 12 ffn/w3-twice: const Tensor gate = matmul(x, transpose(w3)), up = matmul(x, transpose(w3));
  //? How many matrices does y depend on?
  //= W3 makes both views
  //~ 14 ffn/gate-cut: const Tensor gate = matmul(x, transpose(w1)).detach(), up = matmul(x, transpose(w3));
  //? Does the gate learn?
  //= the gate is taken out of the tape: W1 learns nothing
  //~ 19 ffn/value-cut: const Tensor gate = matmul(x, transpose(w1)), up = matmul(x, transpose(w3)).detach();
  //? y is right. Does W3 learn?
  //= W3 x is taken out of the tape: W3 learns nothing
  //~ 18 ffn/silu-of-x: const Tensor gate = matmul(x * sigmoid(x), transpose(w1)), up = matmul(x, transpose(w3));
  //? What goes through SiLU: x, or W1 x?
  //= SiLU of x, before W1
  return matmul(gate * sigmoid(gate) * up, transpose(w2));
  //~ 1 ffn/silu-of-product: return matmul(gate * up * sigmoid(gate * up), transpose(w2));
  //? If W3 is doubled, is y?
  //= SiLU of the product: silu(W1 x ⊙ W3 x)
  //@ breakdown-minimind#3
  //~ 3 ffn/no-gate: return matmul(gate * sigmoid(gate), transpose(w2));
  //? How many matrices does y depend on?
  //= W2 SiLU(W1 x): no gate at all
  //@ timesfm#493
  //~ 4 ffn/gate-without-silu: return matmul(gate * up, transpose(w2));
  //? If x is doubled, is y four times as large?
  //= W1 x ⊙ W3 x: SiLU is missing
  //~ 5 ffn/sigmoid-gate: return matmul(sigmoid(gate) * up, transpose(w2));
  //? Can the gate amplify?
  //= the gate is σ(W1 x), without its factor W1 x: that is GLU
  //~ 6 ffn/relu-gate: return matmul(relu(gate) * up, transpose(w2));
  //? Which curve is the gate?
  //= the gate is ReLU(W1 x): that is ReGLU
  //~ 7 ffn/gelu-gate: return matmul(gate * (1 + erf(gate / std::sqrt(2))) / 2 * up, transpose(w2));
  //? Which curve is the gate?
  //= the gate is GELU(W1 x): that is GeGLU
  //~ 8 ffn/softmax-gate: return matmul(exp(gate - logsumexp(gate, {2}, true)) * up, transpose(w2));
  //? Do the gates of a token have to sum to 1?
  //= the gates are a softmax
  //~ 9 ffn/silu-of-both: return matmul(gate * sigmoid(gate) * up * sigmoid(up), transpose(w2));
  //? If W3 is doubled, is y?
  //= both views go through SiLU
  //@ trident PR101
  //~ 10 ffn/plus-for-times: return matmul(gate * sigmoid(gate) + up, transpose(w2));
  //? If the gate is shut, what should be left?
  //= SiLU(W1 x) + W3 x: added, not multiplied
  //@ STGCN-Pytorch#1
  //~ 13 ffn/residual-inside: return x + matmul(gate * sigmoid(gate) * up, transpose(w2));
  //? What is y if W2 is 0?
  //= x is added: that is the block's part
  //~ 15 ffn/silu-at-end:
  //| const Tensor y = matmul(gate * up, transpose(w2));
  //| return y * sigmoid(y);
  //? Where does SiLU stand: before W2, or after it?
  //= SiLU after W2
  //~ 16 act/silu-of-minus: return matmul(gate * sigmoid(-gate) * up, transpose(w2));
  //? Is SiLU of 30 large, or nearly 0?
  //~ 17 ffn/gate-unused: return matmul(up, transpose(w2));
  //? How many matrices does y depend on?
  //= W2 W3 x: the gate is not used
  //~ also ffn/silu-of-x: return matmul(gate * up, transpose(w2));
  //~ 20 ffn/sigmoid-cut: return matmul(gate * sigmoid(gate.detach()) * up, transpose(w2));
  //? y is right. In how many places does the gate stand, and through which does W1 learn?
  //= σ(W1 x) is taken out of the tape
  //~ 21 ffn/tanh-gate: return matmul(tanh(gate) * up, transpose(w2));
  //? Which curve is the gate?
  //= the gate is tanh(W1 x)
  // end
}

// For y = SiLU(a) ⊙ b: from g = dL/dy to {dL/da, dL/db}, without the tape. All of one shape.
Tensors gate_gradient(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: one gradient for each factor
  //! b doubled: what becomes of y? And how much does y change with a where b is 0?
  //! A gradient for each factor, number by number. σ(a) is used in both.
  //! y is a product of two factors, so each factor's gradient is g times the other one, and for a also times the slope of SiLU.
  //! dL/db = g ⊙ SiLU(a), dL/da = g ⊙ b ⊙ (σ + a σ (1 − σ)), with σ = σ(a).
  const Tensor s = sigmoid(a);
  //~ 19 ffn/sigmoid-of-value: const Tensor s = sigmoid(b);
  //? Which of the two goes through σ: a, or b?
  //= σ(b), where σ(a) is meant
  return {g * b * (s + a * s * (1 - s)), g * a * s};
  //~ 1 ffn/silu-slope-first-term: return {g * b * s, g * a * s};
  //? a is used twice in a σ(a). Where do both ways arrive?
  //= the slope of SiLU is σ(a) alone
  //~ 2 ffn/silu-slope-second-term: return {g * b * a * s * (1 - s), g * a * s};
  //? a is used twice in a σ(a). Where do both ways arrive?
  //= the slope of SiLU is a σ′(a) alone
  //~ 3 ffn/silu-value-for-slope: return {g * b * a * s, g * a * s};
  //? Does a larger a change y by SiLU(a), or by its slope?
  //= SiLU itself stands where its slope should
  //~ 4 act/derivative-of-output:
  //| const Tensor y = a * s, t = sigmoid(y);
  //| return {g * b * (t + y * t * (1 - t)), g * a * s};
  //? At which point is the derivative taken: at a, or at SiLU(a)?
  //~ 5 ffn/gate-gradient-without-b: return {g * (s + a * s * (1 - s)), g * a * s};
  //? How much does a change y where b is 0?
  //= dL/da lacks b
  //~ 6 ffn/value-gradient-without-sigmoid: return {g * b * (s + a * s * (1 - s)), g * a};
  //? What multiplies b in y: a, or SiLU(a)?
  //= dL/db = g ⊙ a
  //~ 7 ffn/value-gradient-of-sigmoid: return {g * b * (s + a * s * (1 - s)), g * s};
  //? What multiplies b in y: σ(a), or SiLU(a)?
  //= dL/db = g ⊙ σ(a)
  //~ 8 ffn/value-gradient-of-slope: return {g * b * (s + a * s * (1 - s)), g * (s + a * s * (1 - s))};
  //? What multiplies b in y: SiLU(a), or its slope?
  //= dL/db = g times the slope of SiLU
  //~ 9 ffn/gradients-exchanged: return {g * a * s, g * b * (s + a * s * (1 - s))};
  //? Which gradient comes first?
  //= dL/db and dL/da have changed places
  //~ 10 act/without-g: return {b * (s + a * s * (1 - s)), a * s};
  //? What arrives from above?
  //~ 11 ffn/sigmoid-slope-for-silu: return {g * b * s * (1 - s), g * a * s};
  //? What is the slope of a σ(a), by the product rule?
  //= the slope of σ in place of the slope of SiLU
  //~ 12 ffn/slope-of-product:
  //| const Tensor t = sigmoid(a * b);
  //| return {g * b * (t + a * b * t * (1 - t)), g * a * s};
  //? At which point is the slope of SiLU taken?
  //= the slope of SiLU at a ⊙ b, not at a
  //~ 13 act/silu-bracket: return {g * b * (s + a) * s * (1 - s), g * a * s};
  //? What does σ′ multiply: a, or σ + a?
  //~ 14 act/silu-gradient-sign: return {g * b * (s - a * s * (1 - s)), g * a * s};
  //? Where a > 0, does a larger gate make SiLU larger?
  //~ 15 act/sigmoid-slope-of-sigmoid: return {g * b * (s + a * s), g * a * s};
  //? What is the slope of σ far to the right?
  //~ 16 act/silu-y-for-sigmoid: return {g * b * (s + a * s * (1 - a * s)), g * a * s};
  //? Which factor should be σ(a), and which a σ(a)?
  //~ 17 act/silu-y-and-slope: return {g * b * (a * s + s * (1 - s)), g * a * s};
  //? Which of the two terms has the a: that of σ, or that of its slope?
  //~ 18 ffn/value-gradient-with-b: return {g * b * (s + a * s * (1 - s)), g * b * a * s};
  //? y is proportional to b. Does the slope with b depend on b?
  //= dL/db has a factor b
  //~ 20 act/without-g: return {b * (s + a * s * (1 - s)), g * a * s};
  //? What arrives from above, and does a get its share of it?
  //~ 21 act/without-g: return {g * b * (s + a * s * (1 - s)), a * s};
  //? What arrives from above, and does b get its share of it?
  // end
}

// h for d numbers: 8 d / 3, cut to a whole number, then up to the next multiple, so that the three matrices have as many numbers
// as the two of a layer without a gate, whose h is 4 d.
int64_t swiglu_width(int64_t d, int64_t multiple) {
  // blank: whole numbers only
  //! How many numbers have two matrices of 4 d · d, and three of h · d? What is h, then?
  //! All in int64_t: multiply before you divide. Then the next multiple that is not below it.
  //! Whole division cuts. n and m − 1 more, divided by m, is n / m rounded up.
  //! h = 8 d / 3, cut, then up to a multiple.
  const int64_t width = 8 * d / 3;
  //~ 1 ffn/width-cut-twice: const int64_t width = 2 * (8 * d / 3) / 3;
  //? How often is the width cut to two thirds?
  //= two thirds of what is two thirds already
  //@ gpt-neox PR1309
  //~ 2 ffn/width-not-cut: const int64_t width = 4 * d;
  //? How many numbers do three matrices of this width have, and how many do two of 4 d?
  //= 4 d, as without a gate
  //@ ml-engineering#45
  //~ 3 ffn/width-whole-division: const int64_t width = 8 / 3 * d;
  //? What is 8 / 3 in C++?
  //= 8 / 3 of whole numbers, which is 2
  //~ 4 ffn/width-of-both-halves: const int64_t width = 8 * d / 3 / 2;
  //? Is the width that of one view, or of both together?
  //= the width is that of both views together
  //@ gpt-neox PR1309
  //~ 10 (convention) ffn/width-ceiling: const int64_t width = (8 * d + 2) / 3;
  //= 8 d / 3 is rounded up before it is rounded to a multiple
  //~ 11 (convention) ffn/width-nearest-whole: const int64_t width = (8 * d + 1) / 3;
  //= 8 d / 3 is rounded to the nearest whole number, not cut
  //~ 12 ffn/width-whole-division: const int64_t width = d / 3 * 8;
  //? What is 4 / 3 in C++? Which comes first, the product, or the division?
  //~ 13 ffn/width-whole-division: const int64_t width = 2 / 3 * 4 * d;
  //? What is 2 / 3 in C++?
  //~ 14 ffn/width-whole-division: const int64_t width = 4 * d / 3 * 2;
  //? 4 d / 3 is cut. What does the factor 2 make of what was cut off?
  //~ 19 ffn/width-inverted: const int64_t width = 3 * d / 8;
  //? Is h larger than d, or smaller?
  //= 3 d / 8, where 8 d / 3 is meant
  return (width + multiple - 1) / multiple * multiple;
  //~ 5 ffn/width-rounded-down: return width / multiple * multiple;
  //? 266 in multiples of 64: what is your width, and do all 266 have room in it?
  //= rounded down to a multiple
  //~ 6 ffn/width-not-rounded: return width;
  //? Is your width a multiple?
  //= not rounded to a multiple
  //~ 7 ffn/width-one-more: return (width / multiple + 1) * multiple;
  //? What happens to a width that is a multiple already?
  //= one multiple too many where the width is a multiple already
  //~ 8 ffn/width-nearest: return (width + multiple / 2) / multiple * multiple;
  //? 266 in multiples of 64: what is your width, and do all 266 have room in it?
  //= rounded to the nearest multiple
  //~ 9 ffn/width-rounded-before: return 2 * ((4 * d + multiple - 1) / multiple * multiple) / 3;
  //? Which comes first: the cut to two thirds, or the multiple?
  //= 4 d is rounded up, and then cut
  //~ 15 ffn/width-bits: return (width + multiple - 1) & ~(multiple - 1);
  //? Is 19 − 1 all ones in binary, as 64 − 1 is?
  //= rounded by bits, which is right for powers of 2 alone
  //~ 16 ffn/width-in-multiples: return (width + multiple - 1) / multiple;
  //? 266 in multiples of 64: is it 5, or 320?
  //= the number of multiples, not the width
  //~ 17 ffn/width-rest-added: return width + width % multiple;
  //? 266 is 10 above 256. How far is it from the next multiple of 64?
  //= the remainder is added, where what is missing from the multiple is meant
  //~ 18 ffn/width-d-rounded: return 8 * ((d + multiple - 1) / multiple * multiple) / 3;
  //? Which number is to be a multiple: d, or h?
  //= d is rounded up, and not h
  // end
}
