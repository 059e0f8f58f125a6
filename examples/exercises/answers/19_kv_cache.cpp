// Exercise 19, kv-cache: attention for the tokens that are new, with the keys and values of earlier ones.  docs/ch07.md#attn-kv-cache
//
//   y_i = attention(q_i, all kept keys and those of the new tokens up to i, their values)      scores q · k / √d
//
// q and k [n, d] and v [n, e] are those of n new tokens, and y is [n, e]. kept_k [S, d] and kept_v [S, e] are from the calls
// before: at first S = 0. `read` is how many tokens all calls have read so far: the first new one stands at this position.
//   rotate(x, positions) turns the rows of x, queries or keys, to these positions (i64 [n]). It is to be done once to each row.
//   After the call the last `most` tokens are kept, no more; of keys, as they have been turned.
// All is in f64, but positions, which are i64. Core's functions arange, cat, slice, unsqueeze, matmul, masked_fill, exp and
// logsumexp are enough; nn is not there. x.size(axis) is a size, −INFINITY hides a score, and scores may be 1000 and more.
// See also docs/ch06.md#pos-rope, docs/ch07.md#attn-causal-mask.
//! title: Attention with a key-value cache
//! minutes: 40
//! needs: rope, attention
//! done: One token at a time needs no mask, and a text in one piece needs no positions but 0, 1, 2 …: most of these mistakes show only in
//!   between.
#include "core/core.h"
#include "examples/exercises/rows.h"

#include <functional>

using namespace gradus;

using Rotate = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Rotate& rotate, int64_t most, Tensor& kept_k, Tensor& kept_v,
              int64_t& read) {
  // blank: positions, what is kept now, scores and mask, the mean; then forget
  //! A text read in two pieces should give what it gives in one. What does the second piece have to know of the first?
  //! Keys, values, and how far one has read: the last is not the number of keys once some of them are forgotten.
  //! A key stands where it stands for ever, so it is turned once. A new query sees all that is kept, and of the new keys those up to its
  //!   own.
  //! With S kept keys, new query i sees the keys 0 … S + i, and stands at position read + i. Cut to the last `most` rows after all that.
  const int64_t count = q.size(0), before = kept_k.size(0), all = before + count;
  const Tensor positions = arange(read, read + count);
  //~ 1 rope/positions-ignored: const Tensor positions = arange(count);
  //? At which position does the second piece begin?
  //~ 4 pos/decode-from-0: const Tensor positions = count == 1 ? arange(count) : arange(read, read + count);
  //? At which position does a token stand that comes alone?
  //= a token that comes alone stands at position 0
  //@ mlx-lm PR93
  //~ 5 cache/offset-is-length: const Tensor positions = arange(before, all);
  //? Some tokens are forgotten: does the next one stand further left?
  //= the position is the number of tokens that are kept, not of those that were read
  //@ rajveer43/VeloxQuant-MLX PR195
  //~ 13 cache/one-position: const Tensor positions = 0 * arange(count) + read;
  //? Do two new tokens stand at the same position?
  //= all new tokens stand at the position of the first
  //~ 14 cache/counted-first: const Tensor positions = arange(read + count, read + 2 * count);
  //? What is read when the first call asks for its positions?
  //= the new tokens are counted before their positions are taken
  read += count;
  //~ 21 cache/read-is-count: read = count;
  //? After two calls of two tokens each: how many have been read?
  //= read becomes the number of new tokens, where they should be added to it
  //+ const Tensor unturned = cat({kept_k, k}, 0);
  const Tensor keys = cat({kept_k, rotate(k, positions)}, 0), values = cat({kept_v, v}, 0);
  //~ 7 cache/rotated-twice: const Tensor keys = cat({before > 0 ? rotate(kept_k, arange(read - all, read - count)) : kept_k, rotate(k, positions)}, 0), values = cat({kept_v, v}, 0);
  //? How often is the first key turned by the end?
  //= kept keys are turned again in each call
  //~ 8 cache/keys-not-rotated: const Tensor keys = unturned, values = cat({kept_v, v}, 0);
  //? Does a key know where it stands?
  //= the queries are turned, the keys are not
  //~ 9 cache/new-first: const Tensor keys = cat({rotate(k, positions), kept_k}, 0), values = cat({v, kept_v}, 0);
  //? In which order do the keys stand, and which of them does the mask take for new?
  //= the new keys stand before those that were kept
  //~ 15 cache/values-rotated: const Tensor keys = cat({kept_k, rotate(k, positions)}, 0), values = cat({kept_v, rotate(v, positions)}, 0);
  //? What is it that is compared with a query: keys, or values?
  //= the values are turned as well
  //~ 22 cache/keys-from-0: const Tensor keys = cat({kept_k, rotate(k, arange(count))}, 0), values = cat({kept_v, v}, 0);
  //? Where does a new key stand, and where its own query?
  //= the queries are turned to their positions, the keys to 0, 1, 2 …
  //~ 26 cache/forgets-before-attending: const Tensor keys = slice(cat({kept_k, rotate(k, positions)}, 0), 0, std::max<int64_t>(0, all - most)), values = slice(cat({kept_v, v}, 0), 0, std::max<int64_t>(0, all - most));
  //? Which tokens does the first of several new ones see: those from before the call, or those that will be left after it?
  //= tokens are forgotten before the new queries have seen them
  //~ 27 cache/turned-at-each-call: const Tensor keys = rotate(unturned, arange(read - all, read)), values = cat({kept_v, v}, 0);
  //? How often is the first key turned by the end?
  //= the keys are kept as they came, and all are turned at each call: y is right, and each token costs as much as the whole text
  //~ 39 cache/keys-turned-from-0: const Tensor keys = rotate(unturned, arange(all)), values = cat({kept_v, v}, 0);
  //? Some tokens are forgotten: at which position does the first key that is left stand?
  //= all keys are turned at each call, to their places in the cache, not to their positions
  const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true}) / std::sqrt(q.size(1));
  //~ 6 cache/queries-from-0: const Tensor scores = matmul(rotate(q, arange(count)), keys, {.transpose_b = true}) / std::sqrt(q.size(1));
  //? Where does a new query stand, and where its own key?
  //= the keys are turned to their positions, the queries to 0, 1, 2 …
  //~ 16 attn/no-scale: const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true});
  //? How large are the scores if d is four times as large?
  //~ 23 cache/queries-not-turned: const Tensor scores = matmul(q, keys, {.transpose_b = true}) / std::sqrt(q.size(1));
  //? Does a query know where it stands?
  //= the keys are turned, the queries are not
  //~ 24 attn/scale-by-d: const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true}) / static_cast<double>(q.size(1));
  //? Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?
  //~ 29 attn/scale-by-value-width: const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true}) / std::sqrt(v.size(1));
  //? Of how many products is a score the sum: one for each number of a key, or of a value?
  //~ 30 attn/scale-by-length: const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true}) / std::sqrt(all);
  //? Of how many products is a score the sum?
  //~ 40 cache/own-piece-alone: const Tensor scores = matmul(rotate(q, positions), slice(keys, 0, before), {.transpose_b = true}) / std::sqrt(q.size(1));
  //? Which keys does the first token of the second call see?
  //= the queries see the keys of their own call alone
  const Tensor hidden = unsqueeze(arange(before, all), 1) < arange(all);
  //~ 3 cache/mask-top-left: const Tensor hidden = unsqueeze(arange(count), 1) < arange(all);
  //? How many keys does the first new token see, if three are kept?
  //= the mask begins at the first key, not at the first new one
  //@ hyprstream PR1521, onnx PR8068, executorch PR21749, x-transformers#187
  //~ 20 cache/own-key-hidden: const Tensor hidden = unsqueeze(arange(before, all), 1) <= arange(all);
  //? May a token see itself?
  //= the last key that a query should see, its own, is left out
  //~ also cache/forgets-before-attending: const Tensor hidden = unsqueeze(arange(keys.size(0) - count, keys.size(0)), 1) < arange(keys.size(0));
  //~ 28 cache/mask-by-position: const Tensor hidden = unsqueeze(arange(read - count, read), 1) < arange(all);
  //? Some tokens are forgotten: at which place in kept_k stands the key of position 6?
  //= the mask compares positions with places in the cache: right until something is forgotten
  //@ mlxcel PR76, lalamo PR200
  //~ also cache/own-piece-alone: const Tensor hidden = unsqueeze(arange(count), 1) < arange(count);
  const Tensor seen = masked_fill(scores, hidden, -INFINITY);
  //~ 2 cache/prefill-unmasked: const Tensor seen = scores;
  //? Two new tokens at once: may the first see the second?
  //= nothing is masked: right for one new token, wrong for several
  //@ Mikyx-1/TinyLLM#17
  //~ 18 cache/unmasked-after-first: const Tensor seen = before > 0 ? scores : masked_fill(scores, hidden, -INFINITY);
  //? Two new tokens at once: may the first see the second?
  //= there is a mask only while nothing is kept
  kept_k = slice(keys, 0, std::max<int64_t>(0, all - most));
  //~ 10 cache/newest-forgotten: kept_k = slice(keys, 0, 0, std::min(all, most));
  //? Which tokens are forgotten first?
  //= the first tokens are kept, and the last ones forgotten
  //~ 11 cache/never-forgotten: kept_k = keys;
  //? How many rows has kept_k after a long text?
  //= nothing is forgotten
  //~ 12 cache/not-kept:
  //? How many rows has kept_k after the first call?
  //= the new keys and values are not kept
  //~ 17 cache/one-too-few: kept_k = all <= most ? keys : slice(keys, 0, all - most + 1);
  //? How many rows has kept_k after a long text?
  //= one token fewer is kept
  //~ 19 cache/last-not-kept: kept_k = slice(keys, 0, std::max<int64_t>(0, all - 1 - most), all - 1);
  //? Of two new tokens, which ones does the next call find in kept_k?
  //= the last new key and value are not kept
  //~ 25 cache/forgets-too-early: kept_k = slice(keys, 0, all - most);
  //? Two tokens have been read, and five may be kept: from which row on do you keep?
  //= all − most, without max(0, …): a negative number counts from the end
  //~ also cache/forgets-before-attending: kept_k = keys;
  //~ also cache/turned-at-each-call: kept_k = slice(unturned, 0, std::max<int64_t>(0, all - most));
  //~ also cache/keys-turned-from-0: kept_k = slice(unturned, 0, std::max<int64_t>(0, all - most));
  //~ 34 cache/kept-unturned: kept_k = slice(unturned, 0, std::max<int64_t>(0, all - most));
  //? What does the next call find in kept_k: keys that know where they stand?
  //= new keys are turned for this call, and kept as they came
  //~ 35 cache/zero-keeps-all: kept_k = most == 0 ? keys : slice(keys, 0, std::max<int64_t>(0, all - most));
  //? For most = 0: from which row on do you keep?
  //= the last 0 rows are taken as all rows
  //~ 37 cache/one-never-forgotten: kept_k = keys;
  //? How many rows have kept_k and kept_v after a long text?
  //~ 38 cache/only-new-kept: kept_k = slice(rotate(k, positions), 0, std::max<int64_t>(0, count - most));
  //? After two calls of two tokens each: how many rows has kept_k?
  //= the new keys and values are kept in place of those from before
  kept_v = slice(values, 0, std::max<int64_t>(0, all - most));
  //~ also cache/newest-forgotten: kept_v = slice(values, 0, 0, std::min(all, most));
  //~ also cache/never-forgotten: kept_v = values;
  //~ also cache/not-kept:
  //~ also cache/one-too-few: kept_v = all <= most ? values : slice(values, 0, all - most + 1);
  //~ also cache/last-not-kept: kept_v = slice(values, 0, std::max<int64_t>(0, all - 1 - most), all - 1);
  //~ also cache/forgets-too-early: kept_v = slice(values, 0, all - most);
  //~ also cache/forgets-before-attending: kept_v = values;
  //~ also cache/zero-keeps-all: kept_v = most == 0 ? values : slice(values, 0, std::max<int64_t>(0, all - most));
  //~ 36 cache/one-never-forgotten: kept_v = values;
  //= of keys and values, one is forgotten and the other is not
  //~ also cache/only-new-kept: kept_v = slice(v, 0, std::max<int64_t>(0, count - most));
  return matmul(exp(seen - logsumexp(seen, {1}, true)), values);
  //~ 31 softmax/axis: return matmul(exp(seen - logsumexp(seen, {0}, true)), values);
  //? Which weights sum to 1: those of one query, or those of one key?
  //~ 32 softmax/no-max: return matmul(exp(seen) / sum(exp(seen), {1}, true), values);
  //? What is exp(1000)? And what is exp(1000) / exp(1000)?
  //~ 33 softmax/max-of-all: return matmul(exp(seen - max(seen)) / sum(exp(seen - max(seen)), {1}, true), values);
  //? What is left of a query whose scores are all 1000 below the greatest of another query?
  //= the greatest of all scores is subtracted, not each query's own
  //~ also cache/own-piece-alone: return matmul(exp(seen - logsumexp(seen, {1}, true)), slice(values, 0, before));
  // end
}
