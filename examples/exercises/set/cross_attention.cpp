#include "examples/exercises/set/cross_attention.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_cross_attention {
namespace {

struct Weights {
  explicit Weights(const Probe& p) : q(tensor_of(p["w_q"])), k(tensor_of(p["w_k"])), v(tensor_of(p["w_v"])), o(tensor_of(p["w_o"])) {}
  Tensor q, k, v, o;
};

Tensor words_of(const Probe& p) { return cast(tensor_of(p["is_word"]), DType::i64); }

// A gradient, or zeros where the input was not used.
Array gradient(const std::string& name, const Tensor& dx, const Array& x) {
  return dx.defined() ? array(name, x.shape, checked(name, dx, x.shape).numbers) : array(name, x.shape, std::vector<double>(x.numbers.size()));
}

// The value, and the gradients of x and memory, of what the student's function, or another, makes of them.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), memory = tensor_of(p["memory"]).set_requires_grad();
  const Tensor y = f(x, memory);
  check_unchanged(p, "x", x);
  check_unchanged(p, "memory", memory);
  const Array value = checked("y", y, p["x"].shape);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Tensors gradients = grad({y}, {x, memory}, {.seeds = {tensor_of(p["g"])}, .allow_unused = true});
  return {value, gradient("dL/dx", gradients[0], p["x"]), gradient("dL/dmemory", gradients[1], p["memory"])};
}

Outputs right_attention(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x, const Tensor& memory) {
    const Weights w(p);
    const int64_t heads = p.whole("heads");
    const auto apart = [&](const Tensor& all) { return reshape(all, {1, all.size(0), heads, all.size(1) / heads}); };
    const Tensor mask = reshape(words_of(p), {1, 1, 1, memory.size(0)});
    const Tensor y = nn::attention(apart(matmul(x, w.q)), apart(matmul(memory, w.k)), apart(matmul(memory, w.v)), {.mask = mask});
    return matmul(reshape(y, {x.size(0), x.size(1)}), w.o);
  });
}

enum Wrong { weights_exchanged, only_x, target_mask, target_mask_at_end, mask_ignored, mask_inverted, with_zero, after_softmax, mask_added,
             no_scale, scale_by_model, multiplied, values_bare, keys_for_values, no_output, over_queries, weights_turned, stream_added,
             one_head, padding_zeroed, cut_at_length, memory_detached,
             scale_by_d, roles_exchanged, no_max, max_of_all, mask_too_small, split_interleaved, merged_interleaved, split_by_reshape,
             merged_by_reshape, q_weights_turned, k_weights_turned, v_weights_turned, o_weights_turned, values_of_x, keys_of_x,
             queries_of_memory, one_weight_for_both, weights_of_scores, scale_by_words, whole_root, first_head_again, x_detached };

double scale_of(int64_t d, int64_t model, int64_t words, Made made) {
  const double n = static_cast<double>(made[scale_by_model] ? model : made[scale_by_words] ? words : d), exact = made[scale_by_d] ? n : std::sqrt(n);
  const double root = made[whole_root] ? std::floor(exact) : exact;
  return made[no_scale] ? 1 : made[multiplied] ? root : 1 / root;
}

// [T, S]: 1 where a query sees a key. Without a source there is no padding.
Tensor seen_by(const Tensor& is_word, int64_t queries, int64_t keys, Made made) {
  Tensor seen = is_word;
  if (made[cut_at_length]) seen = cast(arange(keys) < sum(is_word), DType::i64);
  if (made[mask_inverted]) seen = 1 - seen;
  if (made[mask_ignored] || made[padding_zeroed] || made[only_x]) seen = 0 * arange(keys) + 1;
  seen = unsqueeze(0 * arange(queries), 1) + seen;
  if (!made[target_mask] && !made[target_mask_at_end]) return seen;
  const int64_t first = made[target_mask_at_end] ? keys - queries : 0;
  return seen * cast(arange(keys) <= unsqueeze(arange(first, first + queries), 1), DType::i64);
}

// The weights, of scores whose hidden ones are −∞, or what stands for it.
Tensor weights_of(const Tensor& scores, Made made) {
  if (made[no_max] || made[max_of_all]) {
    const Tensor e = exp(made[no_max] ? scores : scores - max(scores));
    return e / sum(e, {1}, true);
  }
  if (made[weights_of_scores]) return exp(scores);
  return exp(scores - logsumexp(scores, {made[over_queries] ? 0 : 1}, true));
}

// One head's.
Tensor head_with(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& seen, double scale, Made made) {
  Tensor scores = scale * matmul(q, k, {.transpose_b = true});
  const double hidden = made[with_zero] ? 0 : made[mask_too_small] ? -100 : -std::numeric_limits<double>::infinity();
  if (made[mask_added]) scores = scores + cast(seen, DType::f64);
  else if (!made[after_softmax]) scores = masked_fill(scores, seen == 0, hidden);
  const Tensor weights = weights_of(scores, made);
  return matmul(made[after_softmax] ? weights * cast(seen, DType::f64) : weights, v);
}

// Head h of x [n, heads · d].
Tensor head_of(const Tensor& x, int64_t h, int64_t heads, Made made) {
  const int64_t rows = x.size(0), d = x.size(1) / heads;
  if (made[first_head_again]) h = 0;
  if (made[split_by_reshape]) return reshape(x, {heads, rows, d})[h];
  if (made[split_interleaved]) return select(reshape(x, {rows, d, heads}), 2, h);
  return slice(x, 1, h * d, (h + 1) * d);
}

Tensor merged(const Tensors& heads, const Shape& shape, Made made) {
  if (made[merged_by_reshape]) return reshape(stack(heads), shape);
  return made[merged_interleaved] ? reshape(stack(heads, 2), shape) : cat(heads, 1);
}

Tensor attention_with(const Probe& p, const Tensor& x, const Tensor& given, Made made) {
  const Weights w(p);
  const Tensor is_word = words_of(p), kept = made[memory_detached] ? given.detach() : given;
  const Tensor asked = made[padding_zeroed] ? kept * unsqueeze(cast(is_word, DType::f64), 1) : kept;
  const Tensor asking = made[x_detached] ? x.detach() : x;
  const Tensor source = made[only_x] || made[roles_exchanged] ? x : asked, target = made[roles_exchanged] || made[queries_of_memory] ? asked : asking;
  const auto times = [&](const Tensor& a, const Tensor& weight, bool turned) { return matmul(a, weight, {.transpose_b = made[weights_turned] || turned}); };
  const bool exchanged = made[weights_exchanged];
  const Tensor q = times(target, exchanged ? w.k : w.q, made[q_weights_turned]);
  const Tensor k = times(made[keys_of_x] ? x : source, exchanged || made[one_weight_for_both] ? w.q : w.k, made[k_weights_turned]);
  const Tensor of_values = made[values_of_x] ? x : source;
  const Tensor v = made[values_bare] ? of_values : times(of_values, made[keys_for_values] ? w.k : w.v, made[v_weights_turned]);
  const Tensor seen = seen_by(is_word, target.size(0), source.size(0), made);
  const int64_t model = x.size(1), heads = made[one_head] ? 1 : p.whole("heads"), d = model / heads;
  Tensors parts;
  for (int64_t h = 0; h < heads; ++h) {
    const auto head = [&](const Tensor& all) { return head_of(all, h, heads, made); };
    parts.push_back(head_with(head(q), head(k), head(v), seen, scale_of(d, model, source.size(0), made), made));
  }
  const Tensor joined = merged(parts, {target.size(0), model}, made), y = made[no_output] ? joined : times(joined, w.o, made[o_weights_turned]);
  return made[stream_added] ? x + y : y;
}

Outputs with(const Probe& p, Made made) {
  return outputs_of(p, [&](const Tensor& x, const Tensor& memory) { return attention_with(p, x, memory, made); });
}

Probe probe(const std::string& name, int target, const std::vector<double>& is_word, int heads, int d, std::uint64_t seed) {
  const int source = static_cast<int>(is_word.size()), model = heads * d;
  const double size = 1.2 / std::sqrt(model);
  const auto weight = [&](const char* of, std::uint64_t i) { return drawn(of, {model, model}, seed + i, size, 0.1); };
  return {name, {drawn("x", {target, model}, seed, 1.3, 0.3), drawn("memory", {source, model}, seed + 1, 1.3, -0.4), weight("w_q", 2),
                 weight("w_k", 3), weight("w_v", 4), weight("w_o", 5), array("is_word", {source}, is_word), number("heads", heads),
                 drawn("g", {target, model}, seed + 6, 1, 0.3)}};
}

// Keys that differ in length alone. The first two places ask with a long x and with −x: one of them has scores far above 0 for all
// words, the other one far below.
Probe with_large_scores(Probe p) {
  Array &x = p.inputs[0], &memory = p.inputs[1];
  const auto n = static_cast<std::size_t>(columns_of(x));
  for (std::size_t i = 0; i < n; ++i) x.numbers[i] *= 1e4, x.numbers[n + i] = -x.numbers[i];
  for (std::size_t i = n; i < memory.numbers.size(); ++i) memory.numbers[i] = memory.numbers[i % n] * (1 + 0.25 * static_cast<double>(i / n));
  return p;
}

std::string padding_gets_nothing(const Probe& p, const Outputs& outputs) {
  const In dm = in(outputs[2]);
  for (int s = 0; s < dm.rows; ++s) {
    for (int c = 0; c < dm.columns; ++c) {
      if (p["is_word"].numbers[static_cast<std::size_t>(s)] == 0 && dm[s][c] != 0) return fmt::format("row {} is padding, and gets {:.4g}", s, dm[s][c]);
    }
  }
  return "";
}

std::string one_word_says_all(const Probe& p, const Outputs& outputs) {
  double words = 0;
  for (double one : p["is_word"].numbers) words += one;
  const In y = in(outputs[0]);
  for (int t = 1; words == 1 && t < y.rows; ++t) {
    for (int c = 0; c < y.columns; ++c) {
      if (!(std::abs(y[t][c] - y[0][c]) <= 1e-9 * (1 + std::abs(y[0][c])))) {
        return fmt::format("y[{}][{}] is {}, y[0][{}] is {}", t, c, beside(y[t][c], y[0][c]), c, beside(y[0][c], y[t][c]));
      }
    }
  }
  return "";
}

std::vector<Mistake> mistakes() {
  return {
      {weights_exchanged, "cross/weights-exchanged", "Which weights make the question, and which the keys?", "x Wk asks, and m Wq is asked"},
      {only_x, "cross/only-x", "What does y say of the source?", "keys and values are made of x: the target asks itself"},
      {target_mask, "cross/target-mask", "Is the last word of the source later than the first of the target?", "the target's causal mask hides the source"},
      {target_mask_at_end, "cross/target-mask-at-end", "Is the last word of the source later than the first of the target?", "the target's causal mask, as if its places were the source's last"},
      {mask_ignored, "attn/mask-not-applied", "Does what stands in the source's padding change y?"},
      {mask_inverted, "cross/mask-inverted", "Which places does a 1 in is_word hide?", "the words are hidden, and the padding is seen"},
      {with_zero, "attn/mask-with-zero", "What is the weight of a score of 0?"},
      {after_softmax, "attn/mask-after-softmax", "To what do the weights of one query sum?"},
      {mask_added, "cross/mask-added", "How much smaller is the weight of a place whose score is smaller by 1?", "is_word, 1 or 0, is added to the scores"},
      {no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
      {scale_by_model, "attn/scale-by-model", "How many products are summed in one score?"},
      {multiplied, "attn/divided-by-scale", "Do the scores grow or shrink with the factor?"},
      {values_bare, "cross/values-not-projected", "What does P weigh: memory, or what Wv makes of it?", "P m Wo, without Wv"},
      {keys_for_values, "cross/keys-for-values", "Which weights make what is read?", "the values are m Wk"},
      {no_output, "cross/no-output-weights", "What happens to the heads once they stand side by side?", "Wo is missing"},
      {over_queries, "softmax/axis", "Which weights sum to 1: those of one query, or those of one key?"},
      {weights_turned, "cross/weights-transposed", "Which index of W does the sum run over in x W?", "x Wᵀ, as if the weights were [out, in]"},
      {stream_added, "cross/stream-added", "Is x a part of what is asked for?", "y = x + cross(x, m): the stream is the block's to add"},
      {one_head, "attn/one-head", "How many weights does a place of the target give to one word?"},
      {padding_zeroed, "cross/padding-zeroed", "Which score has a row of zeros, and which weight?", "the padding's rows are set to 0, and still have weights"},
      {cut_at_length, "cross/cut-at-length", "Must padding stand at the end?", "the words are counted, and that many places are seen, from the first on"},
      {memory_detached, "cross/memory-detached", "From where does the encoder learn?", "no gradient reaches memory"},
      {scale_by_d, "attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?"},
      {roles_exchanged, "cross/roles-exchanged", "Who asks, and who is asked? How many rows must y have?", "memory asks, and x is asked"},
      {no_max, "softmax/no-max", "What is exp(1000)? And what is exp(1000) / exp(1000)?"},
      {max_of_all, "softmax/max-of-all", "What is left of a query whose scores are all 1000 below the greatest of another query?"},
      {mask_too_small, "attn/mask-too-small", "A word has the score −300. Which weight does padding get beside it?", "the score of padding is −100, not −∞: large beside a word's −300"},
      {split_interleaved, "attn/heads-interleaved", "Which columns are the first head's?"},
      {merged_interleaved, "attn/merge-interleaved", "In which columns of what meets Wo stands the first head?", "the heads are merged number by number, not head by head"},
      {split_by_reshape, "attn/split-without-transpose", "In memory, how far is it from a head's first row to its second?"},
      {merged_by_reshape, "attn/merge-without-transpose", "Which numbers of the heads belong to the first place of the target?"},
      {q_weights_turned, "cross/query-weights-transposed", "Which index of Wq does the sum run over in x Wq?", "x Wqᵀ: one of the weights is taken as [out, in]"},
      {k_weights_turned, "cross/key-weights-transposed", "Which index of Wk does the sum run over in m Wk?", "m Wkᵀ: one of the weights is taken as [out, in]"},
      {v_weights_turned, "cross/value-weights-transposed", "Which index of Wv does the sum run over in m Wv?", "m Wvᵀ: one of the weights is taken as [out, in]"},
      {o_weights_turned, "cross/output-weights-transposed", "Which index of Wo does the sum run over?", "P (m Wv) Woᵀ: one of the weights is taken as [out, in]"},
      {values_of_x, "cross/values-of-x", "What does y say of the source?", "the values are made of x, the keys of memory"},
      {keys_of_x, "cross/keys-of-x", "Who is asked?", "the keys are made of x, the values of memory"},
      {queries_of_memory, "cross/queries-of-memory", "Who asks? How many rows must y have?", "the queries are made of memory: the source asks itself"},
      {one_weight_for_both, "cross/query-weights-for-keys", "Which weights make the keys?", "the keys are m Wq: Wk is not used"},
      {weights_of_scores, "attn/not-normalised", "To what do the weights of one query sum?"},
      {scale_by_words, "attn/scale-by-length", "Of how many products is a score the sum?"},
      {whole_root, "attn/whole-root", "What is the root of 6 as an int?"},
      {first_head_again, "attn/first-head-repeated", "Which columns are the second head's?"},
      {x_detached, "cross/target-detached", "From where does the decoder learn what to ask?", "no gradient reaches x"},
  };
}

Stage attention_stage() {
  return {
      .function = "cross_attention",
      .right = right_attention,
      .with = with,
      .mistakes = mistakes(),
      .probes = {probe("three places ask three, with padding in between", 3, {1, 0, 1}, 2, 2, 2741),
                 probe("two places ask three, the last of which is padding", 2, {1, 1, 0}, 2, 2, 2701),
                 probe("four places ask seven, with padding between words", 4, {1, 0, 1, 1, 0, 1, 0}, 3, 2, 2711),
                 probe("five places ask three, with padding in between", 5, {1, 0, 1}, 2, 4, 2721),
                 probe("three places ask four, of which one is a word", 3, {1, 0, 0, 0}, 2, 5, 2731),
                 with_large_scores(probe("four places ask six, two of them with scores in the thousands", 4, {1, 1, 0, 1, 0, 1}, 1, 6, 2751))},
      .laws = {{"nobody reads padding, so it gets no gradient", padding_gets_nothing, "Which weight should a place of padding have, and how do you make it so?"},
               {"if there is but one word to read, all places read the same", one_word_says_all, "Which weight has the only word, for every place that asks?"}},
      .hints = {"Who wants to know something, and who knows it? y has one row for each of those who ask.",
                "Queries come from one sequence, keys and values from the other. Which of the two may have padding that somebody would read?",
                "The source is there as a whole before the target begins: nothing in it is later. Only padding is hidden, before the softmax.",
                "Head by head P = softmax(q kᵀ / √d + M), where M is −∞ in the columns of padding; the heads' P v side by side, times Wo."},
  };
}

}  // namespace
}  // namespace in_cross_attention

Functions cross_attention(CrossAttention* attention) {
  const auto on_probe = [=](const Probe& p) {
    return in_cross_attention::outputs_of(p, [&](const Tensor& x, const Tensor& memory) {
      const in_cross_attention::Weights w(p);
      return attention(x, memory, w.q, w.k, w.v, w.o, in_cross_attention::words_of(p), p.whole("heads"));
    });
  };
  return {Written<CrossAttention>{attention, on_probe}};
}

Exercise cross_attention_exercise() {
  return {
      .number = 21,
      .id = "cross-attention",
      .title = "Cross-attention: the target asks the source",
      .section = "ch09.md#model-decoder",
      .needs = {"attention", "heads"},
      .minutes = 30,
      .done = "Where source and target have the same length, many of these mistakes run without a word: try two lengths first.",
      .stages = {in_cross_attention::attention_stage()},
  };
}

}  // namespace gradus::exercises::set
