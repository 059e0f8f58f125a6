// Exercise 9, swiglu: the feed-forward layer with a gate, what comes back through the gate, and how wide it is.
//                                                                                                     docs/ch03.md#ffn-swiglu
//   y = W2 (SiLU(W1 x) ⊙ W3 x)      SiLU(a) = a σ(a)
//
// x and y are [B, T, d], each token by itself. w1 and w3 are [h, d], w2 is [d, h]: (W1 x)_i = Σ_j w1[i][j] x_j. No biases.
// All is in f64. Then a gate that is clamped, and a router, which sends each token through k of E such layers.
// See also docs/ch03.md#ffn-width, docs/ch03.md#ffn-swiglu-clamped, docs/ch03-experts.md#ffn-moe-router,
// docs/ch03-experts.md#ffn-moe-balance.
//! title: The SwiGLU layer, its gate, its width and its router
//! minutes: 60
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

// y = SiLU(a′) ⊙ b′, where a′ and b′ are a and b within a limit L > 0. All of one shape.
Tensor clamped_gate(const Tensor& a, const Tensor& b, double limit) {
  // blank: two clamps, and a gate; minimum and clamp are there
  //! SiLU is never below −0.28. From which side does a have to be bounded, and from which b?
  //! Both are bounded before they meet, each by itself.
  //! No number of y is above L² in size; within the limit it is the gate as it was.
  //! a′ = min(a, L), b′ = clamp(b, −L, L), y = a′ σ(a′) b′.
  const Tensor gate = minimum(a, limit), up = clamp(b, -limit, limit);
  //~ 1 ffn/clamp-missing: const Tensor gate = a, up = b;
  //? What is y for a = b = 100 and a limit of 7?
  //= nothing is clamped
  //@ omlx PR2571, tokenspeed PR1647, sglang PR39939
  //~ 2 ffn/clamp-of-gate-both-sides: const Tensor gate = clamp(a, -limit, limit), up = clamp(b, -limit, limit);
  //? SiLU of −100 is 0. And SiLU of −2?
  //= a is clamped from below, too
  //@ fak#4837
  //~ 3 ffn/clamp-of-value-one-side: const Tensor gate = minimum(a, limit), up = minimum(b, limit);
  //? How large can b be on its other side?
  //= b is clamped from above alone
  //~ 4 ffn/clamp-of-gate-alone: const Tensor gate = minimum(a, limit), up = b;
  //? How many factors does y have, and how many are bounded?
  //= b is not clamped
  //~ 5 ffn/clamp-of-value-alone: const Tensor gate = a, up = clamp(b, -limit, limit);
  //? How many factors does y have, and how many are bounded?
  //= a is not clamped
  //~ 6 ffn/clamp-exchanged: const Tensor gate = clamp(a, -limit, limit), up = minimum(b, limit);
  //? Which of the two is bounded from both sides?
  //= the clamps of a and b have changed places
  //~ 7 ffn/clamp-smooth: const Tensor gate = limit * tanh(a / limit), up = limit * tanh(b / limit);
  //? Does y differ from the plain gate within the limit?
  //= L tanh(u / L): a smooth cap, not a clamp
  return gate * sigmoid(gate) * up;
  //~ 8 (convention) ffn/clamp-after-silu: return minimum(a * sigmoid(a), limit) * up;
  //= SiLU(a) is clamped, not a (the task asks for a)
  //~ 9 ffn/clamp-of-product: return clamp(a * sigmoid(a) * b, -limit, limit);
  //? What is clamped: both factors, or their product?
  //= y is clamped, not its factors
  //~ 10 (convention) ffn/clamp-oai: return gate * sigmoid(1.702 * gate) * (up + 1);
  //= σ(1.702 a′) and b′ + 1: the form of gpt-oss
  //@ sglang PR28092
  //~ 11 ffn/clamp-plus-one: return gate * sigmoid(gate) * (up + 1);
  //? What is y where b is 0?
  //= b′ + 1 stands for b′, as in the form of gpt-oss
  //~ 12 ffn/clamp-quick-gelu: return gate * sigmoid(1.702 * gate) * up;
  //? Which curve is the gate?
  //= σ(1.702 a′) stands for σ(a′), as in the form of gpt-oss
  //~ 13 ffn/clamp-of-one-sigmoid: return a * sigmoid(gate) * up;
  //? In how many places does the gate stand?
  //= a σ(a′): one of two places is not clamped
  // end
}

// The logits z [N, E] and biases b [E] of a router to weights w [N, E], of which k in each row are not 0. b only chooses.
Tensor expert_weights(const Tensor& z, const Tensor& b, int64_t k) {
  // blank: scores, a choice, weights; sigmoid, topk, gather and scatter_add are there
  //! Two experts score 0.9 and 0.3, and a bias of 1 lifts the second. Which is chosen for k = 1, and what is its weight?
  //! Four steps: scores of all, the choice by s + b, the scores of the chosen, and these divided by their sum.
  //! The weights of a token sum to 1. A bias that changes no choice changes nothing, and it gets no gradient.
  //! s = σ(z); e is chosen if s_e + b_e is one of the k largest; w_e = s_e / Σ s over the chosen, 0 for the others.
  const Tensor s = sigmoid(z);
  //~ 1 moe/scores-softmax: const Tensor s = exp(z - logsumexp(z, {1}, true));
  //? Does the score of an expert depend on the other logits?
  //= the scores are a softmax, not sigmoids
  //~ 2 moe/bias-before-sigmoid: const Tensor s = sigmoid(z + b);
  //? What is the bias added to: logits, or scores?
  //= the bias is added to the logits, and so is in the weights
  const Tensor chosen = topk(s + b, k).indices;
  //~ 4 moe/bias-unused: const Tensor chosen = topk(s, k).indices;
  //? What does the bias change?
  //= the choice does not see the bias
  //~ 5 moe/bias-on-logits: const Tensor chosen = topk(z + b, k).indices;
  //? Is the bias on the scale of logits, or of scores?
  //= the choice is by z + b, not by s + b
  //~ 6 moe/bias-subtracted: const Tensor chosen = topk(s - b, k).indices;
  //? Does a larger bias bring an expert more tokens, or fewer?
  //= the bias is subtracted
  //~ 7 moe/least-chosen: const Tensor chosen = topk(-s - b, k).indices;
  //? Which end of the order is chosen?
  //= the k smallest are chosen
  //~ 8 moe/one-too-many: const Tensor chosen = topk(s + b, std::min(k + 1, z.size(1))).indices;
  //? How many weights of a row are not 0?
  //= k + 1 experts are chosen
  const Tensor kept = gather(s, 1, chosen);
  //~ 9 moe/bias-in-weight: const Tensor kept = gather(s + b, 1, chosen);
  //? Two experts are chosen anyway. Does a bias change their weights?
  //= the bias is in the weights, not in the choice alone
  //@ transformers PR39581
  //~ 10 moe/bias-learns: const Tensor kept = gather(s + b - b.detach(), 1, chosen);
  //? w is right. By what is the bias moved: by the load, or by a gradient?
  //= the bias gets a gradient
  //@ EfficientMoE#3
  //~ 11 moe/softmax-of-chosen: const Tensor kept = exp(gather(z, 1, chosen));
  //? Which curve makes a score of a logit?
  //= the weights are the softmax of the chosen logits
  //@ mlxcel PR391
  return scatter_add(zeros_like(z), 1, chosen, kept / sum(kept, 1, true));
  //~ 12 moe/not-divided: return scatter_add(zeros_like(z), 1, chosen, kept);
  //? To what do the weights of a token sum?
  //= the weights are not divided by their sum
  //@ torchtitan#1448
  //~ 13 moe/divided-by-all: return scatter_add(zeros_like(z), 1, chosen, kept / sum(s, 1, true));
  //? To what do the weights of a token sum?
  //= divided by the sum of all scores, not of the chosen
  //~ 14 moe/divided-over-tokens: return scatter_add(zeros_like(z), 1, chosen, kept / sum(kept, 0, true));
  //? Over which axis is the sum: a token's experts, or the tokens?
  //= divided by a sum over the tokens
  //~ 15 moe/equal-weights: return scatter_add(zeros_like(z), 1, chosen, kept / kept / static_cast<double>(k));
  //? Does a better score weigh more?
  //= all the chosen have the same weight
  //~ alone 16 moe/sum-cut: return scatter_add(zeros_like(z), 1, chosen, kept / sum(kept, 1, true).detach());
  //? w is right. If all scores of a token grow by a tenth, what becomes of w, and what does your gradient say?
  //= the sum is taken out of the tape
  // end
}

// The loss that balances the load, of scores s [N, E] above 0 and weights w [N, E] as expert_weights gives them. Shape [].
Tensor balance_loss(const Tensor& s, const Tensor& w) {
  // blank: two means over the tokens, of what was chosen and of what was scored; mean and sum are there
  //! All tokens choose the same expert. Which of two numbers for an expert can say so, and through which can the router learn it?
  //! f_e counts, and has no gradient; P_e is a mean of scores, and has one. Both are shares: over the experts they sum to 1.
  //! The loss is 1 where all experts have the same share, and E where one has everything.
  //! f_e: the share of all choices that fall on e. P_e: the mean of s_e / Σ s over the tokens. L = E Σ f_e P_e.
  const Tensor is_chosen = cast(w > 0, DType::f64);
  const Tensor f = mean(is_chosen, 0) / sum(mean(is_chosen, 0));
  //~ 1 (convention) moe/balance-k-times: const Tensor f = mean(is_chosen, 0);
  //= f sums to k, not to 1: the loss is k times as large
  //~ 2 moe/balance-of-weights: const Tensor f = mean(w.detach(), 0);
  //? What does f count: choices, or weights?
  //= f is the mean of the weights, not the share of the choices
  const Tensor p = mean(s / sum(s, 1, true), 0);
  //~ 3 moe/balance-softmax-of-scores: const Tensor p = mean(exp(s - logsumexp(s, {1}, true)), 0);
  //? Are scores logits?
  //= P is a softmax of what are scores already
  //@ OLMo-core PR255, Megatron-LM#1545
  //~ 4 moe/balance-undivided: const Tensor p = mean(s, 0);
  //? If all scores are half as large, is the load better balanced?
  //= P is the mean of the scores themselves: small scores escape the loss
  //~ 6 moe/balance-constant: const Tensor p = f + 0 * mean(s, 0);
  //? Through which of f and P does the router learn?
  //= P is the share of the choices, too: the loss has no slope
  //@ hyper-parallel#752, transformers#28093
  //~ 7 moe/balance-of-chosen: const Tensor p = mean(is_chosen * s / sum(s, 1, true), 0);
  //? Does an expert that was not chosen have a share of P?
  //= P counts the chosen alone
  //@ aprender PR2162
  //~ 8 moe/balance-sum-cut: const Tensor p = mean(s / sum(s, 1, true).detach(), 0);
  //? L is right. If one score grows, what do the other shares do?
  //= the sum of the scores is taken out of the tape
  return static_cast<double>(s.size(1)) * sum(f * p);
  //~ 9 moe/balance-without-count: return sum(f * p);
  //? What is the loss where all experts have the same share?
  //= the factor E is missing
  //~ 10 moe/balance-mean: return mean(f * p);
  //? What is the loss where all experts have the same share?
  //= the mean over the experts, not E times the sum
  //~ 11 moe/balance-by-token:
  //| const Tensor own = is_chosen / sum(is_chosen, 1, true) * s / sum(s, 1, true);
  //| return static_cast<double>(s.size(1)) * mean(sum(own, 1));
  //? Is a token that prefers one expert a fault?
  //= f and P are multiplied for each token, before the means
  //~ 12 moe/balance-of-products: return static_cast<double>(s.size(1)) * sum(p * p);
  //? How often is an expert chosen, and where is that in L?
  //= P², which counts no choices
  // end
}
