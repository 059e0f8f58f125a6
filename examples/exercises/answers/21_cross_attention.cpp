// Exercise 21, cross-attention: each place of the target asks all words of the source.            docs/ch09.md#model-decoder
//
//   y = P (m Wv) Wo      P = softmax((x Wq) (m Wk)ᵀ / √d + M)      head by head, each of d = C / heads columns
//
// x [T, C] is the target, and memory m [S, C] what the encoder made of the source. The four weights are [C, C], and y is [T, C].
// is_word [S] (i64) is 1 where the source has a word, 0 where it is padding; at least one is 1.
//   Head h has the columns h · d … h · d + d − 1 of the queries, keys and values. Scores may be 1000 and more.
//! title: Cross-attention: the target asks the source
//! minutes: 30
//! needs: attention, heads
//! done: Where source and target have the same length, many of these mistakes run without a word: try two lengths first.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor cross_attention(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v, const Tensor& w_o,
                       const Tensor& is_word, int64_t heads) {
  // blank: who asks, who answers, and what nobody reads
  //! Who wants to know something, and who knows it? y has one row for each of those who ask.
  //! Queries come from one sequence, keys and values from the other. Which of the two may have padding that somebody would read?
  //! The source is there as a whole before the target begins: nothing in it is later. Only padding is hidden, before the softmax.
  //! Head by head P = softmax(q kᵀ / √d + M), where M is −∞ in the columns of padding; the heads' P v side by side, times Wo.
  //~ 19 attn/one-head: heads = 1;
  //? How many weights does a place of the target give to one word?
  //+ const Tensor words = memory * unsqueeze(cast(is_word, DType::f64), 1);
  const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = matmul(memory, w_v);
  //~ 1 cross/weights-exchanged: const Tensor q = matmul(x, w_k), k = matmul(memory, w_q), v = matmul(memory, w_v);
  //? Which weights make the question, and which the keys?
  //= x Wk asks, and m Wq is asked
  //~ 2 cross/only-x: const Tensor q = matmul(x, w_q), k = matmul(x, w_k), v = matmul(x, w_v);
  //? What does y say of the source?
  //= keys and values are made of x: the target asks itself
  //~ 13 cross/values-not-projected: const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = memory;
  //? What does P weigh: memory, or what Wv makes of it?
  //= P m Wo, without Wv
  //~ 14 cross/keys-for-values: const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = matmul(memory, w_k);
  //? Which weights make what is read?
  //= the values are m Wk
  //~ 17 cross/weights-transposed: const Tensor q = matmul(x, transpose(w_q)), k = matmul(memory, transpose(w_k)), v = matmul(memory, transpose(w_v));
  //? Which index of W does the sum run over in x W?
  //= x Wᵀ, as if the weights were [out, in]
  //~ 20 cross/padding-zeroed: const Tensor q = matmul(x, w_q), k = matmul(words, w_k), v = matmul(words, w_v);
  //? Which score has a row of zeros, and which weight?
  //= the padding's rows are set to 0, and still have weights
  //~ 22 cross/memory-detached: const Tensor q = matmul(x, w_q), k = matmul(memory.detach(), w_k), v = matmul(memory.detach(), w_v);
  //? From where does the encoder learn?
  //= no gradient reaches memory
  //~ 24 cross/roles-exchanged: const Tensor q = matmul(memory, w_q), k = matmul(x, w_k), v = matmul(x, w_v);
  //? Who asks, and who is asked? How many rows must y have?
  //= memory asks, and x is asked
  //~ 32 cross/query-weights-transposed: const Tensor q = matmul(x, transpose(w_q)), k = matmul(memory, w_k), v = matmul(memory, w_v);
  //? Which index of Wq does the sum run over in x Wq?
  //= x Wqᵀ: one of the weights is taken as [out, in]
  //~ 33 cross/key-weights-transposed: const Tensor q = matmul(x, w_q), k = matmul(memory, transpose(w_k)), v = matmul(memory, w_v);
  //? Which index of Wk does the sum run over in m Wk?
  //= m Wkᵀ: one of the weights is taken as [out, in]
  //~ 34 cross/value-weights-transposed: const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = matmul(memory, transpose(w_v));
  //? Which index of Wv does the sum run over in m Wv?
  //= m Wvᵀ: one of the weights is taken as [out, in]
  //~ 36 cross/values-of-x: const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = matmul(x, w_v);
  //? What does y say of the source?
  //= the values are made of x, the keys of memory
  //~ 37 cross/keys-of-x: const Tensor q = matmul(x, w_q), k = matmul(x, w_k), v = matmul(memory, w_v);
  //? Who is asked?
  //= the keys are made of x, the values of memory
  //~ 38 cross/queries-of-memory: const Tensor q = matmul(memory, w_q), k = matmul(memory, w_k), v = matmul(memory, w_v);
  //? Who asks? How many rows must y have?
  //= the queries are made of memory: the source asks itself
  //~ 39 cross/query-weights-for-keys: const Tensor q = matmul(x, w_q), k = matmul(memory, w_q), v = matmul(memory, w_v);
  //? Which weights make the keys?
  //= the keys are m Wq: Wk is not used
  //~ 44 cross/target-detached: const Tensor q = matmul(x.detach(), w_q), k = matmul(memory, w_k), v = matmul(memory, w_v);
  //? From where does the decoder learn what to ask?
  //= no gradient reaches x
  const int64_t d = x.size(1) / heads;
  Tensors parts;
  for (int64_t h = 0; h < heads; ++h) {
    const auto head = [&](const Tensor& all) {
      return slice(all, 1, h * d, (h + 1) * d);
      //~ 28 attn/heads-interleaved: return select(reshape(all, {all.size(0), d, heads}), 2, h);
      //? Which columns are the first head's?
      //~ 30 attn/split-without-transpose: return reshape(all, {heads, all.size(0), d})[h];
      //? In memory, how far is it from a head's first row to its second?
      //~ 43 attn/first-head-repeated: return slice(all, 1, 0, d);
      //? Which columns are the second head's?
    };
    const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / std::sqrt(d);
    //~ 10 attn/no-scale: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true});
    //? How large are the scores if d is four times as large?
    //~ 11 attn/scale-by-model: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / std::sqrt(x.size(1));
    //? How many products are summed in one score?
    //~ 12 attn/divided-by-scale: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) * std::sqrt(d);
    //? Do the scores grow or shrink with the factor?
    //~ 23 attn/scale-by-d: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / static_cast<double>(d);
    //? Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?
    //~ 41 attn/scale-by-length: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / std::sqrt(memory.size(0));
    //? Of how many products is a score the sum?
    //~ 42 attn/whole-root: const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / std::floor(std::sqrt(d));
    //? What is the root of 6 as an int?
    //+ const int64_t target = q.size(0), source = k.size(0);
    const Tensor seen = masked_fill(scores, is_word == 0, -INFINITY);
    //~ also cross/only-x: const Tensor seen = scores;
    //~ 3 cross/target-mask: const Tensor seen = masked_fill(masked_fill(scores, is_word == 0, -INFINITY), unsqueeze(arange(target), 1) < arange(source), -INFINITY);
    //? Is the last word of the source later than the first of the target?
    //= the target's causal mask hides the source
    //~ 4 cross/target-mask-at-end: const Tensor seen = masked_fill(masked_fill(scores, is_word == 0, -INFINITY), unsqueeze(arange(source - target, source), 1) < arange(source), -INFINITY);
    //? Is the last word of the source later than the first of the target?
    //= the target's causal mask, as if its places were the source's last
    //~ 5 attn/mask-not-applied: const Tensor seen = scores;
    //? Does what stands in the source's padding change y?
    //~ 6 cross/mask-inverted: const Tensor seen = masked_fill(scores, is_word == 1, -INFINITY);
    //? Which places does a 1 in is_word hide?
    //= the words are hidden, and the padding is seen
    //~ 7 attn/mask-with-zero: const Tensor seen = masked_fill(scores, is_word == 0, 0);
    //? What is the weight of a score of 0?
    //~ 8 attn/mask-after-softmax: const Tensor seen = scores;
    //? To what do the weights of one query sum?
    //~ 9 cross/mask-added: const Tensor seen = scores + cast(is_word, DType::f64);
    //? How much smaller is the weight of a place whose score is smaller by 1?
    //= is_word, 1 or 0, is added to the scores
    //~ also cross/padding-zeroed: const Tensor seen = scores;
    //~ 21 cross/cut-at-length: const Tensor seen = masked_fill(scores, arange(source) >= sum(is_word), -INFINITY);
    //? Must padding stand at the end?
    //= the words are counted, and that many places are seen, from the first on
    //~ 27 attn/mask-too-small: const Tensor seen = masked_fill(scores, is_word == 0, -100);
    //? A word has the score −300. Which weight does padding get beside it?
    //= the score of padding is −100, not −∞: large beside a word's −300
    parts.push_back(matmul(exp(seen - logsumexp(seen, {1}, true)), head(v)));
    //~ also attn/mask-after-softmax: parts.push_back(matmul(exp(seen - logsumexp(seen, {1}, true)) * cast(is_word, DType::f64), head(v)));
    //~ 16 softmax/axis: parts.push_back(matmul(exp(seen - logsumexp(seen, {0}, true)), head(v)));
    //? Which weights sum to 1: those of one query, or those of one key?
    //~ 25 softmax/no-max: parts.push_back(matmul(exp(seen) / sum(exp(seen), {1}, true), head(v)));
    //? What is exp(1000)? And what is exp(1000) / exp(1000)?
    //~ 26 softmax/max-of-all: parts.push_back(matmul(exp(seen - max(seen)) / sum(exp(seen - max(seen)), {1}, true), head(v)));
    //? What is left of a query whose scores are all 1000 below the greatest of another query?
    //~ 40 attn/not-normalised: parts.push_back(matmul(exp(seen), head(v)));
    //? To what do the weights of one query sum?
  }
  return matmul(cat(parts, 1), w_o);
  //~ 15 cross/no-output-weights: return cat(parts, 1);
  //? What happens to the heads once they stand side by side?
  //= Wo is missing
  //~ also cross/weights-transposed: return matmul(cat(parts, 1), transpose(w_o));
  //~ 18 cross/stream-added: return x + matmul(cat(parts, 1), w_o);
  //? Is x a part of what is asked for?
  //= y = x + cross(x, m): the stream is the block's to add
  //~ 29 attn/merge-interleaved: return matmul(reshape(stack(parts, 2), x.shape()), w_o);
  //? In which columns of what meets Wo stands the first head?
  //= the heads are merged number by number, not head by head
  //~ 31 attn/merge-without-transpose: return matmul(reshape(stack(parts), x.shape()), w_o);
  //? Which numbers of the heads belong to the first place of the target?
  //~ 35 cross/output-weights-transposed: return matmul(cat(parts, 1), transpose(w_o));
  //? Which index of Wo does the sum run over?
  //= P (m Wv) Woᵀ: one of the weights is taken as [out, in]
  // end
}
