// Exercise 20, block: two sublayers, two norms, and the stream that passes them by.                docs/ch08.md#block-pre
//
//   pre_norm     a = x + f1(norm1(x))        y = a + f2(norm2(a))
//   post_norm    a = norm1(x + f1(x))        y = norm2(a + f2(a))
//   deep_norm    a = norm1(α x + f1(x))      y = norm2(α a + f2(a))
//   mhc          h′_k = Σ_i M_ik h_i + w_k y      M = sinkhorn(A), w = 2 σ(b)
//
// x is [T, d] or [B, T, d]. What f1 and f2 do (they could be attention and a feed-forward layer) does not matter here.
// See also docs/ch08.md#block-post, docs/ch08.md#block-deepnorm, docs/ch08-streams.md#block-sinkhorn, docs/ch08-streams.md#block-mhc.
//! title: The block: pre-norm, post-norm, DeepNorm, and the streams of mHC
//! minutes: 45
//! needs: rms-norm, attention
//! done: Each of these blocks trains, the wrong ones too: with sublayers that give 0 you see what a loss does not show.
#include "core/core.h"
#include "examples/exercises/rows.h"

#include <functional>

using namespace gradus;

using Part = std::function<Tensor(const Tensor&)>;

Tensor pre_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
  // blank: what does each sublayer read, and to what is its result added?
  //! Let f1 and f2 give 0. What is y?
  //! Two sublayers, one after the other: what the first leaves is all that the second knows, both what it reads and what it adds to.
  //! There is a way from x to y on which nothing stands but sums.
  //! One sublayer makes x + f(norm(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2.
  const Tensor a = x + f1(norm1(x));
  //~ 2 block/norms-exchanged: const Tensor a = x + f1(norm2(x));
  //? Which norm belongs to f1?
  //= norm2 is with f1, and norm1 with f2
  //~ 3 block/sublayers-exchanged: const Tensor a = x + f2(norm1(x));
  //? Which sublayer comes first?
  //= f2 comes before f1
  //~ 5 block/x-plus-x: const Tensor a = f1(norm1(x)) + f1(norm1(x));
  //? Let a sublayer give 0: what is left of x?
  //= x = f(…), then x + x: the stream is overwritten before it is added
  //@ kyegomez/BitNet#32
  //~ 8 block/no-residual: const Tensor a = f1(norm1(x));
  //? Let a sublayer give 0: what is left of x?
  //= nothing is added to the stream; the sublayers stand one behind the other
  //~ 9 block/first-subtracted: const Tensor a = x - f1(norm1(x));
  //? With which sign does f1's result go into the stream?
  //= what f1 gives is subtracted
  //~ 11 block/first-sublayer-lost: const Tensor a = x;
  //? What does f1 do in your block?
  //= what f1 gives is not added
  //~ 13 block/first-without-stream: const Tensor a = f1(norm1(x));
  //? Let f1 give 0: what is left of x?
  //= a is made of f1's result alone
  //~ 15 block/residual-after-norm: const Tensor a = norm1(x) + f1(norm1(x));
  //? Let f1 and f2 give 0: what should y be, and what is yours?
  //= x = norm(x), then x + f(x): the stream is normed as well
  //@ pytorch#61165, burn PR1054, faster-trajectory-transformer#3, RiNALMo#9
  //~ 17 block/sublayer-not-normed: const Tensor a = x + f1(x);
  //? How large is what f1 reads, if x is a hundred times as large?
  //= x + f(x), without a norm
  //~ 18 block/norm-behind-sublayer: const Tensor a = x + norm1(f1(x));
  //? What does f1 read?
  //= x + norm(f(x)): what f gives is normed, not what it reads
  //~ 19 block/post-for-pre: const Tensor a = norm1(x + f1(x));
  //? Let f1 and f2 give 0: what should y be, and what is yours?
  //= norm(x + f(x)), which is post-norm
  //~ 22 block/first-residual-after-norm: const Tensor a = norm1(x) + f1(norm1(x));
  //? Let f1 give 0: what should a be, and what is yours?
  //= x = norm1(x), then x + f1(x): the stream is normed before the first sublayer
  //~ 23 block/first-norm-behind-sublayer: const Tensor a = x + norm1(f1(x));
  //? What does f1 read?
  //= x + norm1(f1(x)): the first norm is of what f1 gives, not of what it reads
  return a + f2(norm2(a));
  //~ 1 block/wrong-norm: return a + f2(norm1(a));
  //? Which parameters get no gradient?
  //= the first norm stands in the second sublayer, too
  //@ mlx#1636
  //~ also block/norms-exchanged: return a + f2(norm1(a));
  //~ also block/sublayers-exchanged: return a + f1(norm2(a));
  //~ 4 block/first-sublayer-twice: return a + f1(norm2(a));
  //? Does your block use f2?
  //= f1 stands in both places
  //~ also block/x-plus-x: return f2(norm2(a)) + f2(norm2(a));
  //~ 6 block/first-input: return x + f2(norm2(a));
  //? What stands in the stream when f2 comes?
  //= f2's result is added to the block's input, not to what f1 left
  //@ strutive07/transformer-tensorflow2.0#14
  //~ 7 block/second-reads-first-input: return a + f2(norm2(x));
  //? Does f2 see what f1 has added?
  //= f2 reads the block's input, not what f1 left
  //~ also block/no-residual: return f2(norm2(a));
  //~ 10 block/second-subtracted: return a - f2(norm2(a));
  //? With which sign does f2's result go into the stream?
  //= what f2 gives is subtracted
  //~ 12 block/second-sublayer-lost: return a;
  //? What does f2 do in your block?
  //= what f2 gives is not added
  //~ 14 block/second-without-stream: return f2(norm2(a));
  //? Let f2 give 0: what is left of a?
  //= y is made of f2's result alone
  //~ also block/residual-after-norm: return norm2(a) + f2(norm2(a));
  //~ 16 block/second-residual-after-norm: return norm2(a) + f2(norm2(a));
  //? Let f2 give 0: what should y be, and what is yours?
  //= a = norm2(a), then a + f2(a): the stream is normed between the sublayers
  //@ Compact-Transformers#25
  //~ also block/sublayer-not-normed: return a + f2(a);
  //~ also block/norm-behind-sublayer: return a + norm2(f2(a));
  //~ also block/post-for-pre: return norm2(a + f2(a));
  //~ 20 block/second-not-normed: return a + f2(a);
  //? How large is what f2 reads, if x is a hundred times as large?
  //= f2 reads the stream without a norm
  //~ 21 block/norm-at-the-end: return norm2(a + f2(norm2(a)));
  //? Let f1 and f2 give 0: what should y be, and what is yours?
  //= the block's result is normed; a final norm comes once, behind the last block
  //~ 24 block/second-norm-behind-sublayer: return a + norm2(f2(a));
  //? What does f2 read?
  //= a + norm2(f2(a)): the second norm is of what f2 gives, not of what it reads
  // end
}

Tensor post_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
  // blank: add, then norm
  //! Let f1 and f2 give 0. How often is x normed on its way to y?
  //! f reads the stream as it is. The norm comes after the sum, and what it gives is the new stream.
  //! Every way from x to y goes through both norms, and norm2 is the last thing that happens.
  //! One sublayer makes norm(x + f(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2.
  const Tensor a = norm1(x + f1(x));
  //~ 2 block/norms-exchanged: const Tensor a = norm2(x + f1(x));
  //= norm2 is with f1, and norm1 with f2
  //~ 3 block/sublayers-exchanged: const Tensor a = norm1(x + f2(x));
  //= f2 comes before f1
  //~ 5 block/x-plus-x: const Tensor a = norm1(f1(x) + f1(x));
  //= x = f(…), then x + x: the stream is overwritten before it is added
  //@ kyegomez/BitNet#32
  //~ 8 block/no-residual: const Tensor a = norm1(f1(x));
  //= nothing is added to the stream; the sublayers stand one behind the other
  //~ 9 block/first-subtracted: const Tensor a = norm1(x - f1(x));
  //= what f1 gives is subtracted
  //~ 11 block/first-sublayer-lost: const Tensor a = norm1(x);
  //= what f1 gives is not added
  //~ 13 block/first-without-stream: const Tensor a = norm1(f1(x));
  //= a is made of f1's result alone
  //~ 15 block/pre-for-post: const Tensor a = x + f1(norm1(x));
  //? What is normed here: what f reads, or the sum?
  //= x + f(norm(x)), which is pre-norm
  //@ annotated-transformer#92, d2l-en#803
  //~ 16 block/norm-behind-sublayer-only: const Tensor a = x + norm1(f1(x));
  //? What is normed here: what f gives, or the sum?
  //= x + norm(f(x))
  //~ 18 block/first-norm-missing: const Tensor a = x + f1(x);
  //? How large is what f2 reads?
  //= the first sum is not normed
  //~ 20 block/added-behind-norm: const Tensor a = x + norm1(x + f1(x));
  //? Which comes first, the sum or the norm?
  //= x + norm(x + f(x)): x is added once more, behind the norm
  //~ 21 block/normed-before-too: const Tensor a = norm1(x + f1(norm1(x)));
  //? What does f1 read?
  //= norm(x + f(norm(x)))
  //~ 22 block/first-sum-of-normed: const Tensor a = x + norm1(f1(x));
  //? What does norm1 read: what f1 gives, or the sum?
  //= a = x + norm1(f1(x))
  return norm2(a + f2(a));
  //~ 1 block/wrong-norm: return norm1(a + f2(a));
  //= the first norm stands in the second sublayer, too
  //@ mlx#1636
  //~ also block/norms-exchanged: return norm1(a + f2(a));
  //~ also block/sublayers-exchanged: return norm2(a + f1(a));
  //~ 4 block/first-sublayer-twice: return norm2(a + f1(a));
  //= f1 stands in both places
  //~ also block/x-plus-x: return norm2(f2(a) + f2(a));
  //~ 6 block/first-input: return norm2(x + f2(a));
  //= f2's result is added to the block's input, not to what f1 left
  //@ strutive07/transformer-tensorflow2.0#14
  //~ 7 block/second-reads-first-input: return norm2(a + f2(x));
  //= f2 reads the block's input, not what f1 left
  //~ also block/no-residual: return norm2(f2(a));
  //~ 10 block/second-subtracted: return norm2(a - f2(a));
  //= what f2 gives is subtracted
  //~ 12 block/second-sublayer-lost: return norm2(a);
  //= what f2 gives is not added
  //~ 14 block/second-without-stream: return norm2(f2(a));
  //= y is made of f2's result alone
  //~ also block/pre-for-post: return a + f2(norm2(a));
  //~ also block/norm-behind-sublayer-only: return a + norm2(f2(a));
  //~ 17 block/last-norm-missing: return a + f2(a);
  //? How large are the rows of y?
  //= the second sum is not normed
  //~ 19 block/two-norms-at-the-end: return norm2(norm2(a + f2(a)));
  //? How many norms follow the second sum?
  //= y is normed twice
  //@ pytorch#50086
  //~ also block/added-behind-norm: return a + norm2(a + f2(a));
  //~ also block/normed-before-too: return norm2(a + f2(norm2(a)));
  //~ 23 block/second-sum-of-normed: return a + norm2(f2(a));
  //? What does norm2 read: what f2 gives, or the sum?
  //= y = a + norm2(f2(a))
  // end
}

Tensor deep_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2, double alpha) {
  // blank: the same, with a louder stream
  //! Which of the two is to be louder: the stream, or what a sublayer adds?
  //! α stands in both sums and nowhere else: f reads the stream as it is.
  //! With α = 1 this is post-norm. With a large α, a sublayer hardly changes what the norm gives.
  //! One sublayer makes norm(α x + f(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2.
  const Tensor a = norm1(alpha * x + f1(x));
  //~ 2 block/norms-exchanged: const Tensor a = norm2(alpha * x + f1(x));
  //= norm2 is with f1, and norm1 with f2
  //~ 3 block/sublayers-exchanged: const Tensor a = norm1(alpha * x + f2(x));
  //= f2 comes before f1
  //~ 5 block/x-plus-x: const Tensor a = norm1(f1(x) + f1(x));
  //= x = f(…), then x + x: the stream is overwritten before it is added
  //@ kyegomez/BitNet#32
  //~ 8 block/no-residual: const Tensor a = norm1(f1(x));
  //= nothing is added to the stream; the sublayers stand one behind the other
  //~ 9 block/first-subtracted: const Tensor a = norm1(alpha * x - f1(x));
  //= what f1 gives is subtracted
  //~ 11 block/first-sublayer-lost: const Tensor a = norm1(alpha * x);
  //= what f1 gives is not added
  //~ 13 block/first-without-stream: const Tensor a = norm1(f1(x));
  //= a is made of f1's result alone
  //~ 15 block/deepnorm-alpha-on-f: const Tensor a = norm1(x + alpha * f1(x));
  //? Which of the two should be louder, the stream or what is added?
  //= norm(x + α f(x)): α multiplies what is added, not the stream
  //@ labml deep_norm:112
  //~ 16 block/alpha-on-both: const Tensor a = norm1(alpha * x + alpha * f1(x));
  //? What does a norm make of a sum that is α times as large?
  //= norm(α (x + f(x))): the norm divides α out again
  //~ 17 block/alpha-missing: const Tensor a = norm1(x + f1(x));
  //? Where is α in your sum?
  //= norm(x + f(x)), which is post-norm
  //~ 18 block/sublayer-reads-alpha-x: const Tensor a = norm1(alpha * x + f1(alpha * x));
  //? What does f1 read?
  //= f reads α x, not x
  //~ 20 block/alpha-divides: const Tensor a = norm1(x / alpha + f1(x));
  //? Should the stream be louder, or quieter?
  //= x / α + f(x)
  //~ 21 block/alpha-behind-norm: const Tensor a = alpha * norm1(x + f1(x));
  //? What does the norm do to what is α times as large, and what comes behind it?
  //= α norm(x + f(x))
  //~ 22 block/deepnorm-norms-sublayer: const Tensor a = alpha * x + norm1(f1(x));
  //? What is normed here: what f gives, or the sum?
  //= α x + norm(f(x))
  //~ 23 block/alpha-squared: const Tensor a = norm1(alpha * alpha * x + f1(x));
  //? How often does α multiply the stream?
  //= α² x + f(x)
  //~ 24 block/alpha-root: const Tensor a = norm1(std::sqrt(alpha) * x + f1(x));
  //? How much louder does α make the stream?
  //= √α x + f(x)
  //~ 25 block/alpha-second-alone: const Tensor a = norm1(x + f1(x));
  //? To how many sums does α belong?
  //= the first sum is without α
  return norm2(alpha * a + f2(a));
  //~ 1 block/wrong-norm: return norm1(alpha * a + f2(a));
  //= the first norm stands in the second sublayer, too
  //@ mlx#1636
  //~ also block/norms-exchanged: return norm1(alpha * a + f2(a));
  //~ also block/sublayers-exchanged: return norm2(alpha * a + f1(a));
  //~ 4 block/first-sublayer-twice: return norm2(alpha * a + f1(a));
  //= f1 stands in both places
  //~ also block/x-plus-x: return norm2(f2(a) + f2(a));
  //~ 6 block/first-input: return norm2(alpha * x + f2(a));
  //= f2's result is added to the block's input, not to what f1 left
  //@ strutive07/transformer-tensorflow2.0#14
  //~ 7 block/second-reads-first-input: return norm2(alpha * a + f2(x));
  //= f2 reads the block's input, not what f1 left
  //~ also block/no-residual: return norm2(f2(a));
  //~ 10 block/second-subtracted: return norm2(alpha * a - f2(a));
  //= what f2 gives is subtracted
  //~ 12 block/second-sublayer-lost: return norm2(alpha * a);
  //= what f2 gives is not added
  //~ 14 block/second-without-stream: return norm2(f2(a));
  //= y is made of f2's result alone
  //~ also block/deepnorm-alpha-on-f: return norm2(a + alpha * f2(a));
  //~ also block/alpha-on-both: return norm2(alpha * a + alpha * f2(a));
  //~ also block/alpha-missing: return norm2(a + f2(a));
  //~ also block/sublayer-reads-alpha-x: return norm2(alpha * a + f2(alpha * a));
  //~ 19 block/alpha-once: return norm2(a + f2(a));
  //? To how many sums does α belong?
  //= the second sum is without α
  //~ also block/alpha-divides: return norm2(a / alpha + f2(a));
  //~ also block/alpha-behind-norm: return alpha * norm2(a + f2(a));
  //~ also block/deepnorm-norms-sublayer: return alpha * a + norm2(f2(a));
  //~ also block/alpha-squared: return norm2(alpha * alpha * a + f2(a));
  //~ also block/alpha-root: return norm2(std::sqrt(alpha) * a + f2(a));
  // end
}

// The streams behind a sublayer that gave y [T, d]: h [T, n, d], the streams before it, mixed by M, which `rounds` rounds of Sinkhorn
// make of A [T, n, n], and y, written into each by b [T, n].
Tensor mhc(const Tensor& h, const Tensor& a, const Tensor& b, const Tensor& y, int64_t rounds) {
  // blank: a matrix whose rows and columns sum to 1; then mix, and add y; exp, sum, sigmoid, matmul and unsqueeze are there
  //! Two streams, an even mix, and y = 0. What are the new streams, and what is their sum?
  //! A round divides twice. What does the second division do to the sums that the first has made?
  //! At b = 0 each stream gets all of y. The sum of the new streams is that of the old ones plus Σ w_k times y, as nearly as rows sum to 1.
  //! M ← exp(A); each round: rows over their sums, then columns over theirs. h′ = Mᵀ h + w yᵀ with w = 2 σ(b).
  Tensor m = exp(a);
  //~ 1 mhc/no-exp: Tensor m = abs(a);
  //? Does your M tell A from −A?
  //= M is made of |A|, not of exp(A)
  //~ 2 mhc/sigmoid: Tensor m = sigmoid(a);
  //? A grows from 5 to 10: what does your M show of it before the rounds?
  //= M is made of σ(A), not of exp(A)
  //@ transformers 02356fec
  //~ 3 mhc/exp-of-minus: Tensor m = exp(-a);
  //? Does a larger number of A mix more of a stream, or less?
  //= M is made of exp(−A)
  for (int64_t round = 0; round < rounds; ++round) {
    //~ 4 mhc/one-round-less: for (int64_t round = 1; round < rounds; ++round) {
    //? How often is each row divided?
    //= a round less than was asked for
    //~ 5 mhc/one-round-more: for (int64_t round = 0; round <= rounds; ++round) {
    //? How often is each row divided?
    //= a round more than was asked for
    //@ maxtext PR4337
    m = m / sum(m, -1, true);
    //~ 6 mhc/rows-not-divided: m = 1 * m;
    //? To what do the rows of M sum?
    //= the rows are never divided: M is a softmax of the columns
    //~ 7 mhc/columns-first: m = m / sum(m, -2, true);
    //? Which sums are exactly 1 after a round: those of the rows, or of the columns?
    //= columns are divided first and rows last
    m = m / sum(m, -2, true);
    //~ 8 mhc/columns-not-divided: m = 1 * m;
    //? To what do the columns of M sum?
    //= the columns are never divided: M is a softmax of the rows
    //~ also mhc/columns-first: m = m / sum(m, -1, true);
    //~ alone 9 mhc/sum-cut: m = m / sum(m, -2, true).detach();
    //? h′ is right. If one number of M grows, what becomes of the others in its column?
    //= the columns' sums are taken out of the tape
  }
  const Tensor w = 2 * sigmoid(b);
  //~ 10 mhc/write-not-doubled: const Tensor w = sigmoid(b);
  //? How much of y does a stream get at b = 0?
  //= w is σ(b), without the factor 2
  //@ transformers 02356fec
  //~ 11 mhc/write-softmax: const Tensor w = exp(b - logsumexp(b, {1}, true));
  //? Must the streams share y out?
  //= w is a softmax over the streams
  //~ 12 mhc/write-exp: const Tensor w = exp(b);
  //? How much of y can a stream get at most?
  //= w is exp(b), which nothing bounds
  return matmul(m, h, {.transpose_a = true}) + unsqueeze(w, -1) * unsqueeze(y, -2);
  //~ 13 mhc/mix-transposed: return matmul(m, h) + unsqueeze(w, -1) * unsqueeze(y, -2);
  //? Which of the two axes of M belongs to the old streams?
  //= M h, where Mᵀ h is meant: the mix is transposed
  //@ NeMo Automodel#2154, Megatron-LM#4957, transformers 02356fec
  //~ 14 mhc/not-mixed: return h + unsqueeze(w, -1) * unsqueeze(y, -2);
  //? Where is M in your sum?
  //= the streams are not mixed
  //~ 15 mhc/write-uniform: return matmul(m, h, {.transpose_a = true}) + unsqueeze(y, -2);
  //? Does each stream get the same of y?
  //= y is written into every stream alike
  //~ 16 mhc/y-mixed: return matmul(m, h + unsqueeze(w, -1) * unsqueeze(y, -2), {.transpose_a = true});
  //? Which comes first: the mix, or y?
  //= y is written before the mix, and mixed as well
  //~ 17 mhc/y-lost: return matmul(m, h, {.transpose_a = true});
  //? What does y do in your streams?
  //= y is not written
  // end
}
