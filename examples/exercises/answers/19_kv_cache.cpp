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
#include "core/core.h"
#include "examples/exercises/rows.h"

#include <functional>

using namespace gradus;

using Rotate = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Rotate& rotate, int64_t most, Tensor& kept_k, Tensor& kept_v,
              int64_t& read) {
  // blank: positions, what is kept now, scores and mask, the mean; then forget
  const int64_t count = q.size(0), before = kept_k.size(0), all = before + count;
  const Tensor positions = arange(read, read + count);
  read += count;
  const Tensor keys = cat({kept_k, rotate(k, positions)}, 0), values = cat({kept_v, v}, 0);
  const Tensor scores = matmul(rotate(q, positions), keys, {.transpose_b = true}) / std::sqrt(q.size(1));
  const Tensor hidden = unsqueeze(arange(before, all), 1) < arange(all);
  const Tensor seen = masked_fill(scores, hidden, -INFINITY);
  kept_k = slice(keys, 0, std::max<int64_t>(0, all - most));
  kept_v = slice(values, 0, std::max<int64_t>(0, all - most));
  return matmul(exp(seen - logsumexp(seen, {1}, true)), values);
  // end
}
