// Exercise 21, cross-attention: each place of the target asks all words of the source.            docs/ch09.md#model-decoder
//
//   y = P (m Wv) Wo      P = softmax((x Wq) (m Wk)ᵀ / √d + M)      head by head, each of d = C / heads columns
//
// x [T, C] is the target, and memory m [S, C] what the encoder made of the source. The four weights are [C, C], and y is [T, C].
// is_word [S] (i64) is 1 where the source has a word, 0 where it is padding; at least one is 1.
//   Head h has the columns h · d … h · d + d − 1 of the queries, keys and values. Scores may be 1000 and more.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor cross_attention(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v, const Tensor& w_o,
                       const Tensor& is_word, int64_t heads) {
  // blank: who asks, who answers, and what nobody reads
  const Tensor q = matmul(x, w_q), k = matmul(memory, w_k), v = matmul(memory, w_v);
  const int64_t d = x.size(1) / heads;
  Tensors parts;
  for (int64_t h = 0; h < heads; ++h) {
    const auto head = [&](const Tensor& all) { return slice(all, 1, h * d, (h + 1) * d); };
    const Tensor scores = matmul(head(q), head(k), {.transpose_b = true}) / std::sqrt(d);
    const Tensor seen = masked_fill(scores, is_word == 0, -INFINITY);
    parts.push_back(matmul(exp(seen - logsumexp(seen, {1}, true)), head(v)));
  }
  return matmul(cat(parts, 1), w_o);
  // end
}
