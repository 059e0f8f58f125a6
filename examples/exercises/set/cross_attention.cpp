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
             scale_by_d, roles_exchanged };

double scale_of(int64_t d, int64_t model, Made made) {
  const double n = static_cast<double>(made[scale_by_model] ? model : d), root = made[scale_by_d] ? n : std::sqrt(n);
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

// One head's.
Tensor head_with(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& seen, double scale, Made made) {
  Tensor scores = scale * matmul(q, k, {.transpose_b = true});
  if (made[mask_added]) {
    scores = scores + cast(seen, DType::f64);
  } else if (!made[after_softmax]) {
    scores = masked_fill(scores, seen == 0, made[with_zero] ? 0.0 : -std::numeric_limits<double>::infinity());
  }
  const Tensor weights = exp(scores - logsumexp(scores, {made[over_queries] ? 0 : 1}, true));
  return matmul(made[after_softmax] ? weights * cast(seen, DType::f64) : weights, v);
}

Tensor attention_with(const Probe& p, const Tensor& x, const Tensor& given, Made made) {
  const Weights w(p);
  const Tensor is_word = words_of(p), kept = made[memory_detached] ? given.detach() : given;
  const Tensor asked = made[padding_zeroed] ? kept * unsqueeze(cast(is_word, DType::f64), 1) : kept;
  const Tensor source = made[only_x] || made[roles_exchanged] ? x : asked, target = made[roles_exchanged] ? asked : x;
  const auto times = [&](const Tensor& a, const Tensor& weight) { return matmul(a, weight, {.transpose_b = made[weights_turned]}); };
  const Tensor q = times(target, made[weights_exchanged] ? w.k : w.q), k = times(source, made[weights_exchanged] ? w.q : w.k);
  const Tensor v = made[values_bare] ? source : times(source, made[keys_for_values] ? w.k : w.v);
  const Tensor seen = seen_by(is_word, target.size(0), source.size(0), made);
  const int64_t model = x.size(1), heads = made[one_head] ? 1 : p.whole("heads"), d = model / heads;
  Tensors parts;
  for (int64_t h = 0; h < heads; ++h) {
    const auto head = [&](const Tensor& all) { return slice(all, 1, h * d, (h + 1) * d); };
    parts.push_back(head_with(head(q), head(k), head(v), seen, scale_of(d, model, made), made));
  }
  const Tensor joined = cat(parts, 1), y = made[no_output] ? joined : times(joined, w.o);
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

Stage attention_stage() {
  return {
      .function = "cross_attention",
      .right = right_attention,
      .with = with,
      .mistakes =
          {
              {"cross/weights-exchanged", "Which weights make the question, and which the keys?", "x Wk asks, and m Wq is asked"},
              {"cross/only-x", "What does y say of the source?", "keys and values are made of x: the target asks itself"},
              {"cross/target-mask", "Is the last word of the source later than the first of the target?", "the target's causal mask hides the source"},
              {"cross/target-mask-at-end", "Is the last word of the source later than the first of the target?", "the target's causal mask, as if its places were the source's last"},
              {"attn/mask-not-applied", "Does what stands in the source's padding change y?"},
              {"cross/mask-inverted", "Which places does a 1 in is_word hide?", "the words are hidden, and the padding is seen"},
              {"attn/mask-with-zero", "What is the weight of a score of 0?"},
              {"attn/mask-after-softmax", "To what do the weights of one query sum?"},
              {"cross/mask-added", "How much smaller is the weight of a place whose score is smaller by 1?", "is_word, 1 or 0, is added to the scores"},
              {"attn/no-scale", "How large are the scores if d is four times as large?"},
              {"attn/scale-by-model", "How many products are summed in one score?"},
              {"attn/divided-by-scale", "Do the scores grow or shrink with the factor?"},
              {"cross/values-not-projected", "What does P weigh: memory, or what Wv makes of it?", "P m Wo, without Wv"},
              {"cross/keys-for-values", "Which weights make what is read?", "the values are m Wk"},
              {"cross/no-output-weights", "What happens to the heads once they stand side by side?", "Wo is missing"},
              {"softmax/axis", "Which weights sum to 1: those of one query, or those of one key?"},
              {"cross/weights-transposed", "Which index of W does the sum run over in x W?", "x Wᵀ, as if the weights were [out, in]"},
              {"cross/stream-added", "Is x a part of what is asked for?", "y = x + cross(x, m): the stream is the block's to add"},
              {"attn/one-head", "How many weights does a place of the target give to one word?"},
              {"cross/padding-zeroed", "Which score has a row of zeros, and which weight?", "the padding's rows are set to 0, and still have weights"},
              {"cross/cut-at-length", "Must padding stand at the end?", "the words are counted, and the first so many places are seen"},
              {"cross/memory-detached", "From where does the encoder learn?", "no gradient reaches memory"},
              {"attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?"},
              {"cross/roles-exchanged", "Who asks, and who is asked? How many rows must y have?", "memory asks, and x is asked"},
          },
      .probes = {probe("three places ask three, with padding in between", 3, {1, 0, 1}, 2, 2, 2741),
                 probe("two places ask three, the last of which is padding", 2, {1, 1, 0}, 2, 2, 2701),
                 probe("four places ask seven, with padding between words", 4, {1, 0, 1, 1, 0, 1, 0}, 3, 2, 2711),
                 probe("five places ask three, with padding in between", 5, {1, 0, 1}, 2, 4, 2721),
                 probe("three places ask four, of which one is a word", 3, {1, 0, 0, 0}, 2, 5, 2731)},
      .laws = {{"nobody reads padding, so it gets no gradient", padding_gets_nothing, "Which weight should a place of padding have, and how do you make it so?"},
               {"if there is but one word to read, all places read the same", one_word_says_all, "Which weight has the only word, for every place that asks?"}},
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
      .hints = {"Who wants to know something, and who knows it? y has one row for each of those who ask.",
                "Queries come from one sequence, keys and values from the other. Which of the two may have padding that somebody would read?",
                "The source is there as a whole before the target begins: nothing in it is later. Only padding is hidden, before the softmax.",
                "Head by head P = softmax(q kᵀ / √d + M), where M is −∞ in the columns of padding; the heads' P v side by side, times Wo."},
      .done = "Where source and target have the same length, many of these mistakes run without a word: try two lengths first.",
      .stages = {in_cross_attention::attention_stage()},
  };
}

}  // namespace gradus::exercises::set
