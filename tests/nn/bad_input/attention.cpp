#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls attention_calls() {
  const Tensor q = f32({2, 3, 4, 5}), k = f32({2, 3, 2, 5}), none;
  const std::string groups = "expected q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] with G dividing H";
  BadCalls rows;
  for (const bool probabilities : {false, true}) {
    const std::string name = probabilities ? "attention_probabilities" : "attention";
    const auto attend = [=](const Tensor& a, const Tensor& b, const ScaledDotOptions& o = {}) {
      probabilities ? attention_probabilities(a, b, o) : attention(a, b, b, o);
    };
    const auto with = [=](const ScaledDotOptions& o) { attend(q, k, o); };
    rows += of(name,
               by("attention", {
                                   REFUSED(graph, attend(none, k), "q is undefined"),
                                   REFUSED(graph, attend(q, none), "k is undefined"),
                                   REFUSED(dtype, attend(i64({2, 3, 4, 5}), k), "needs a floating dtype, got i64"),
                                   REFUSED(dtype, attend(q, f64({2, 3, 2, 5})), "q is f32, but k is f64"),
                                   REFUSED(shape, attend(f32({5}), k), "expected q [B, T, H, d]"),
                                   REFUSED(shape, attend(q, f32({2, 3, 2, 6})), "expected q [B, T, H, d]"),
                                   REFUSED(shape, attend(q, f32({1, 3, 2, 5})), "expected q [B, T, H, d]"),
                                   REFUSED(shape, attend(q, f32({2, 3, 3, 5})), groups),
                                   REFUSED(shape, attend(q, f32({2, 3, 0, 5})), groups),
                                   REFUSED(shape, attend(q, f32({2, 2, 2, 5}), {.causal = true}), "causal with 3 queries but only 2 keys"),
                                   REFUSED(dtype, with({.mask = f32({3, 3})}), "a mask holds zeros and ones"),
                                   REFUSED(value, with({.mask = i64({3, 3}) - 1}), "a mask holds ones (visible)"),
                                   REFUSED(value, with({.mask = i64({3, 3}) + 2}), "a mask holds ones (visible)"),
                                   REFUSED(shape, with({.mask = i64({4, 3})}), "a mask or bias of shape [4, 3]"),
                                   REFUSED(shape, with({.bias = f32({4, 3})}), "a mask or bias of shape [4, 3]"),
                                   REFUSED(dtype, with({.bias = f64({3, 3})}), "dtypes differ: f32 and f64"),
                                   REFUSED(shape, with({.sink = f32({3})}), "the sink has one score for each of 4"),
                                   REFUSED(dtype, with({.sink = f64({4})}), "q is f32, but sink is f64"),
                               }));
    rows += of(name, REFUSED_EACH(with({.window = bad}), "attention: the window must not be negative", -1, INT64_MIN));
    rows += of(name, REFUSED_EACH(with({.scale = bad}), "attention: the scale", kNotFinite));
    rows += of(name, REFUSED_EACH(with({.softcap = bad}), "attention: softcap", kNegative));
    rows += of(name, REFUSED_EACH(with({.dropout = bad}), "attention: dropout", kNoProbability));
  }
  const Tensor first = f32({2, 4, 3, 5});  // [B, H, T, d], as other libraries have it
  const std::string layout = "; the layout here is [B, T, H, d]";
  rows += {
      REFUSED(shape, attention(first, f32({2, 2, 7, 5}), f32({2, 2, 7, 6})),
              groups +
                  ", got [2, 4, 3, 5], [2, 2, 7, 5], "
                  "[2, 2, 7, 6]" +
                  layout + ": if the heads came first, [B, H, T, d], use transpose(x, 1, 2)"),
      REFUSED(shape, attention(first, f32({2, 2, 3, 5}), f32({2, 2, 3, 5}), {.causal = true}),
              "attention: causal with 4 queries but only 2 keys: the first would see nothing" + layout),
      REFUSED(shape, attention(first, first, first, {.mask = i64({3, 3})}),
              "does not broadcast to the scores' [B, H, T, S] = [2, 3, 4, 4]" + layout),
      REFUSED(shape, attention(first, first, first, {.sink = f32({4})}), "so shape [3], got [4]" + layout),
      REFUSED(graph, attention(q, k, none), "attention: v is undefined"),
      REFUSED(shape, attention(q, k, f32({2, 3, 4, 5})), "attention: expected q"),
      REFUSED(shape, attention(q, k, f32({2, 4, 2, 5})), "attention: expected q"),
      REFUSED(shape, attention(q, k, f32({2, 3, 2})), "attention: expected q"),
      undefined_rows("weigh_values", {"probabilities", "v"}, {f32({2, 4, 3, 3}), k}, [](const Tensors& t) { weigh_values(t[0], t[1]); }),
      REFUSED(shape, weigh_values(f32({}), k), "weigh_values: expected probabilities"),
      REFUSED(shape, weigh_values(f32({1, 2, 2, 2}), f32({1, 2, 0, 4})),
              "weigh_values: expected probabilities [B, H, T, S] and v [B, S, G, d]"),
      REFUSED(dtype, weigh_values(f64({2, 4, 3, 3}), k), "weigh_values: probabilities is f64, but v is f32"),
      REFUSED(graph, repeat_heads(none, 3), "repeat_heads: x is undefined"),
      REFUSED(shape, repeat_heads(f32({1, 2, 0, 4}), 3), "repeat_heads: expected x"),
      REFUSED(shape, repeat_heads(f32({1, 2, 2, 4}), 3), "G dividing 3 heads"),
      REFUSED(shape, repeat_heads(f32({1, 2, 4, 4}), 2), "G dividing 2 heads"),
      REFUSED(shape, repeat_heads(f32({1, 2, 2, 4}), -2), "G dividing -2 heads"),
      REFUSED(shape, repeat_heads(f32({4}), 4), "repeat_heads: expected x [B, S, G, d]"),
      REFUSED(graph, padding_mask({}, 3), "padding_mask: lengths is undefined"),
      REFUSED(dtype, padding_mask(f32({2}), 3), "padding_mask: lengths must be i64, got f32"),
      REFUSED(shape, padding_mask(i64({}), 3), "padding_mask: expected lengths [B], got []"),
      REFUSED(value, padding_mask(i64({2}) + 4, 3), "padding_mask: a length of 4 among 3 positions"),
      REFUSED(value, padding_mask(i64({2}) - 1, 3), "padding_mask: a length of -1 among 3 positions"),
      REFUSED(value, padding_mask(i64({2}), -1), "must not be negative, got -1"),
  };
  return rows;
}

BadCalls multi_head_attention_calls() {
  BadCalls rows;
  for (const int64_t heads : {int64_t{0}, int64_t{-2}, int64_t{3}, INT64_MAX}) {
    rows += REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = heads}), fmt::format("MultiHeadAttention: {} heads", heads));
  }
  rows += {
      REFUSED(value, MultiHeadAttention({.d_model = 0, .heads = 2}), "do not divide d_model 0"),
      REFUSED(value, MultiHeadAttention({.d_model = -8, .heads = 2}), "do not divide d_model -8"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = 2, .kv_heads = 3}),
              "MultiHeadAttention: 3 heads of keys and values do not divide 2 heads"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = 2, .kv_heads = -1}), "-1 heads of keys"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = 2, .train_sink = true}),
              "MultiHeadAttention: a sink that is trained needs one to start from"),
      REFUSED(value, head_dim(8, 3), "head_dim: 3 heads do not divide d_model 8"),
      REFUSED(value, head_dim(0, 3, 4), "head_dim: 3 heads do not divide d_model 0"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = 3, .head_dim = -2}),
              "MultiHeadAttention: head_dim must be positive, got -2"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = INT64_MAX, .head_dim = 2}), "heads of width 2 are more than 2⁴⁰ columns"),
      REFUSED(value, MultiHeadAttention({.d_model = 8, .heads = 2, .head_dim = INT64_MAX}), "head_dim must be at most 2⁴⁰"),
  };
  const std::string who = "";
  rows +=
      REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .window = bad}), who + "the window must not be negative", -1, INT64_MIN);
  rows += REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .softcap = bad}), who + "the softcap", kNegative);
  rows += REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .scale = bad}), who + "the scale", kNotFinite);
  rows += REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .dropout = bad}), who + "dropout", kNoProbability);
  rows += REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .attention_dropout = bad}), "attention_dropout", kNoProbability);
  rows +=
      REFUSED_EACH(MultiHeadAttention({.d_model = 8, .heads = 2, .sink = bad}), who + "the sink must be in [-inf, inf)", kNaN, kInfinity);
  const Tensor x = f32({2, 3, 8}), none;
  const KeyValueCache one_sample{f32({1, 2, 2, 4}), f32({1, 2, 2, 4}), arange(2)};
  const Tensor narrow = f32({2, 3, 1, 4});
  const auto attend = [](const Tensor& a, const AttentionInputs& in = {}) { MultiHeadAttention({.d_model = 8, .heads = 2})(a, in); };
  const auto with_values = [](const Tensor& a, const AttentionInputs& in) {
    MultiHeadAttention({.d_model = 8, .heads = 2, .value_residual = true})(a, in);
  };
  rows += {
    REFUSED(graph, attend(none), "MultiHeadAttention(2 heads of 4): forward: x is undefined"),
        REFUSED(dtype, attend(f64({2, 3, 8})), "MultiHeadAttention.q_proj, Linear(8 -> 8, no bias): linear: x is f64, but weight is f32"),
        REFUSED(shape, attend(f32({3, 8})), "expected [B, T, 8]"), REFUSED(shape, attend(f32({2, 3, 7})), "expected [B, T, 8]"),
        REFUSED(shape, attend(x, {.memory = f32({1, 3, 8})}), "attention: expected q [B, T, H, d]"),
        REFUSED(dtype, attend(x, {.memory = f64({2, 3, 8})}), "linear: x is f64, but weight is f32"),
        REFUSED(shape, attend(x, {.positions = arange(4)}), "positions must have shape"),
        REFUSED(dtype, attend(x, {.positions = f32({3})}), "positions must be i64"),
        REFUSED(shape, attend(x, {.mask = i64({4, 4})}), "attention: a mask or bias"),
        REFUSED(value, KeyValueCache cache; attend(x, {.memory = x, .cache = &cache}), "a cache holds the past of self-attention"),
        REFUSED(shape, KeyValueCache cache(one_sample);
                attend(x, {.cache = &cache}), "KeyValueCache: holds keys [1, 2, 2, 4], to which [2, 3, 2, 4] cannot be joined"),
        REFUSED(shape, Tensor first(narrow);
                with_values(x, {.first_values = &first}), "values of shape [2, 3, 2, 4], but the first layer's have [2, 3, 1, 4]"),
        REFUSED(graph, Tensor k; KeyValueCache().extend(k, k, k), "KeyValueCache: k is undefined"),
        REFUSED(shape, Tensor k = f32({1, 3, 2, 4}); Tensor at = arange(2);
                KeyValueCache().extend(k, k, at), "KeyValueCache: expected k and v [B, S, G, d] and positions [S] or [B, S]"),
  };
  for (const auto& norm : qk_norms().variants) {
    const std::string row(norm.name);
    const auto normalize = [row](const Tensor& q, const Tensor& k) { (*qk_norms().find(row).value({.head_dim = 4, .heads = 2}))(q, k); };
    const Tensor good = f32({2, 3, 2, 4});
    rows += of(row, {
                        REFUSED(graph, normalize({}, good), " is undefined"),
                        REFUSED(graph, normalize(good, {}), " is undefined"),
                        REFUSED(dtype, normalize(f64({2, 3, 2, 4}), good), " is f64, but "),
                        REFUSED(shape, normalize(f32({2, 3, 2, 5}), good), ": "),
                    });
  }
  rows += {
      REFUSED(shape, CosineQKNorm(4, 2)(f32({2, 3, 3, 4}), f32({2, 3, 3, 4})), "has a scale for each of 2 heads, got queries of 3"),
      REFUSED(value, CosineQKNorm(0, 2), "CosineQKNorm: head_dim and heads must be positive"),
      REFUSED(value, CosineQKNorm(4, -1), "CosineQKNorm: head_dim and heads must be positive"),
      REFUSED(shape, SphereQKNorm(4, 2)(f32({2, 3, 3, 4}), f32({2, 3, 3, 4})), "expected queries [B, T, 2, 4], got [2, 3, 3, 4]"),
      REFUSED(shape, SphereQKNorm(4, 2)(f32({2, 3, 2, 4}), f32({2, 3, 2, 5})), "expected keys [B, S, G, 4], got [2, 3, 2, 5]"),
      REFUSED(value, SphereQKNorm(0, 2), "SphereQKNorm: head_dim and heads must be positive, got 0 and 2"),
      REFUSED(value, HeadNorms(-1), "RMSNorm: the width must be positive, got -1"),
  };
  rows += REFUSED_EACH(CosineQKNorm(4, 2, bad), "CosineQKNorm: eps", kNegative);
  return rows;
}

}  // namespace gradus::test
