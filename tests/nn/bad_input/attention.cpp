#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

using Options = nn::ScaledDotOptions;

}  // namespace

BadCalls attention_calls() {
  const Tensor q = f32({2, 3, 4, 5}), k = f32({2, 3, 2, 5}), none;
  BadCalls rows;
  for (const bool probabilities : {false, true}) {
    const std::string name = probabilities ? "attention_probabilities" : "attention";
    const auto attend = [=](const Tensor& a, const Tensor& b, const Options& o = {}) {
      probabilities ? nn::attention_probabilities(a, b, o) : nn::attention(a, b, b, o);
    };
    const auto with = [=](const Options& o) { attend(q, k, o); };
    rows += {
        {name + " without q", [=] { attend(none, k); }, Raises::graph, "attention: q is undefined"},
        {name + " without k", [=] { attend(q, none); }, Raises::graph, "attention: k is undefined"},
        {name + " of i64", [=] { attend(i64({2, 3, 4, 5}), k); }, Raises::dtype, "attention: needs a floating dtype, got i64"},
        {name + " of f32 and f64", [=] { attend(q, f64({2, 3, 2, 5})); }, Raises::dtype, "attention: q is f32, but k is f64"},
        {name + " of a vector", [=] { attend(f32({5}), k); }, Raises::shape, "attention: expected q [B, T, H, d]"},
        {name + " of another width", [=] { attend(q, f32({2, 3, 2, 6})); }, Raises::shape, "attention: expected q [B, T, H, d]"},
        {name + " of another batch", [=] { attend(q, f32({1, 3, 2, 5})); }, Raises::shape, "attention: expected q [B, T, H, d]"},
        {name + " of 3 groups of 4 heads", [=] { attend(q, f32({2, 3, 3, 5})); }, Raises::shape, "with G dividing H"},
        {name + " of no group", [=] { attend(q, f32({2, 3, 0, 5})); }, Raises::shape, "with G dividing H"},
        {name + " causal with more queries than keys", [=] { attend(q, f32({2, 2, 2, 5}), {.causal = true}); }, Raises::shape,
         "attention: causal with 3 queries but only 2 keys"},
        {name + " with a mask of f32", [=] { with({.mask = f32({3, 3})}); }, Raises::dtype, "attention: a mask holds zeros and ones"},
        {name + " with a mask of -1", [=] { with({.mask = i64({3, 3}) - 1}); }, Raises::value, "attention: a mask holds ones (visible)"},
        {name + " with a mask of 2", [=] { with({.mask = i64({3, 3}) + 2}); }, Raises::value, "attention: a mask holds ones (visible)"},
        {name + " with a mask of 4", [=] { with({.mask = i64({4, 3})}); }, Raises::shape, "attention: a mask or bias of shape [4, 3]"},
        {name + " with a bias of 4", [=] { with({.bias = f32({4, 3})}); }, Raises::shape, "attention: a mask or bias of shape [4, 3]"},
        {name + " with a bias of f64", [=] { with({.bias = f64({3, 3})}); }, Raises::dtype, "attention: dtypes differ: f32 and f64"},
        {name + " with 3 sinks", [=] { with({.sink = f32({3})}); }, Raises::shape, "attention: the sink has one score for each of 4"},
        {name + " with a sink of f64", [=] { with({.sink = f64({4})}); }, Raises::dtype, "attention: q is f32, but sink is f64"},
    };
    rows += bad_sizes(name + " with a window", {-1, INT64_MIN}, "attention: the window must not be negative, got ",
                      [=](int64_t window) { with({.window = window}); });
    rows += bad_values(name + " with a scale", kNotFinite, "attention: the scale must be finite, got ",
                       [=](double scale) { with({.scale = scale}); });
    rows += bad_values(name + " with a softcap", kNegative, "attention: softcap must be finite and not negative, got ",
                       [=](double softcap) { with({.softcap = softcap}); });
    rows += bad_values(name + " with dropout", kNoProbability, "attention: dropout must be in [0, 1), got ",
                       [=](double p) { with({.dropout = p}); });
  }
  rows += {
      REFUSED(graph, nn::attention(q, k, none), "attention: v is undefined"),
      REFUSED(shape, nn::attention(q, k, f32({2, 3, 4, 5})), "attention: expected q"),
      REFUSED(shape, nn::attention(q, k, f32({2, 4, 2, 5})), "attention: expected q"),
      REFUSED(shape, nn::attention(q, k, f32({2, 3, 2})), "attention: expected q"),
      REFUSED(shape, nn::attention(f32({2, 4, 3, 5}), f32({2, 2, 7, 5}), f32({2, 2, 7, 6})), "with G dividing H, got [2, 4, 3, 5], "
              "[2, 2, 7, 5], [2, 2, 7, 6]; the layout here is [B, T, H, d]: if the heads came first, [B, H, T, d], use transpose(x, 1, 2)"),
      REFUSED(shape, nn::attention(f32({2, 4, 3, 5}), f32({2, 2, 3, 5}), f32({2, 2, 3, 5}), {.causal = true}),
              "attention: causal with 4 queries but only 2 keys: the first would see nothing; the layout here is [B, T, H, d]"),
      REFUSED(shape, nn::attention(f32({2, 4, 3, 5}), f32({2, 4, 3, 5}), f32({2, 4, 3, 5}), {.mask = i64({3, 3})}),
              "does not broadcast to the scores' [B, H, T, S] = [2, 3, 4, 4]; the layout here is [B, T, H, d]"),
      REFUSED(shape, nn::attention(f32({2, 4, 3, 5}), f32({2, 4, 3, 5}), f32({2, 4, 3, 5}), {.sink = f32({4})}),
              "so shape [3], got [4]; the layout here is [B, T, H, d]"),
      REFUSED(graph, nn::weigh_values(none, k), "probabilities is undefined"),
      REFUSED(graph, nn::weigh_values(f32({2, 4, 3, 3}), none), "weigh_values: v is undefined"),
      REFUSED(shape, nn::weigh_values(f32({}), k), "weigh_values: expected probabilities"),
      REFUSED(shape, nn::weigh_values(f32({1, 2, 2, 2}), f32({1, 2, 0, 4})),
              "weigh_values: expected probabilities [B, H, T, S] and v [B, S, G, d]"),
      REFUSED(dtype, nn::weigh_values(f64({2, 4, 3, 3}), k), "weigh_values: probabilities is f64, but v is f32"),
      REFUSED(graph, nn::repeat_heads(none, 3), "repeat_heads: x is undefined"),
      REFUSED(shape, nn::repeat_heads(f32({1, 2, 0, 4}), 3), "repeat_heads: expected x"),
      REFUSED(shape, nn::repeat_heads(f32({1, 2, 2, 4}), 3), "G dividing 3 heads"),
      REFUSED(shape, nn::repeat_heads(f32({1, 2, 4, 4}), 2), "G dividing 2 heads"),
      REFUSED(shape, nn::repeat_heads(f32({1, 2, 2, 4}), -2), "G dividing -2 heads"),
      REFUSED(shape, nn::repeat_heads(f32({4}), 4), "repeat_heads: expected x [B, S, G, d]"),
      REFUSED(graph, nn::padding_mask({}, 3), "padding_mask: lengths is undefined"),
      REFUSED(dtype, nn::padding_mask(f32({2}), 3), "padding_mask: lengths must be i64, got f32"),
      REFUSED(shape, nn::padding_mask(i64({}), 3), "padding_mask: expected lengths [B], got []"),
      REFUSED(value, nn::padding_mask(i64({2}) + 4, 3), "padding_mask: a length of 4 among 3 positions"),
      REFUSED(value, nn::padding_mask(i64({2}) - 1, 3), "padding_mask: a length of -1 among 3 positions"),
      REFUSED(value, nn::padding_mask(i64({2}), -1), "must not be negative, got -1"),
  };
  return rows;
}

BadCalls multi_head_attention_calls() {
  BadCalls rows;
  const auto make = [](const std::function<void(nn::AttentionOptions&)>& change) {
    nn::AttentionOptions o{.d_model = 8, .heads = 2};
    change(o);
    nn::MultiHeadAttention{o};
  };
  rows += bad_sizes("MultiHeadAttention of heads", {0, -2, 3, INT64_MAX}, "MultiHeadAttention: ",
                    [=](int64_t heads) { make([=](auto& o) { o.heads = heads; }); });
  rows += {
      {"MultiHeadAttention of d_model 0", [=] { make([](auto& o) { o.d_model = 0; }); }, Raises::value, "do not divide d_model 0"},
      {"MultiHeadAttention of d_model -8", [=] { make([](auto& o) { o.d_model = -8; }); }, Raises::value, "do not divide d_model -8"},
      {"MultiHeadAttention of kv_heads 3", [=] { make([](auto& o) { o.kv_heads = 3; }); }, Raises::value,
       "MultiHeadAttention: 3 heads of keys and values do not divide 2 heads"},
      {"MultiHeadAttention of kv_heads -1", [=] { make([](auto& o) { o.kv_heads = -1; }); }, Raises::value, "-1 heads of keys"},
      {"MultiHeadAttention with a trained sink of nothing", [=] { make([](auto& o) { o.train_sink = true; }); }, Raises::value,
       "MultiHeadAttention: a sink that is trained needs one to start from"},
      REFUSED(value, nn::head_dim(8, 3), "head_dim: 3 heads do not divide d_model 8"),
  };
  rows += bad_sizes("MultiHeadAttention with a window", {-1, INT64_MIN}, "MultiHeadAttention: the window must not be negative, got ",
                    [=](int64_t window) { make([=](auto& o) { o.window = window; }); });
  rows += bad_values("MultiHeadAttention with a softcap", kNegative, "the softcap must be finite and not negative, got ",
                     [=](double softcap) { make([=](auto& o) { o.softcap = softcap; }); });
  rows += bad_values("MultiHeadAttention with a scale", kNotFinite, "MultiHeadAttention: the scale must be finite, got ",
                     [=](double scale) { make([=](auto& o) { o.scale = scale; }); });
  rows += bad_values("MultiHeadAttention with dropout", kNoProbability, "MultiHeadAttention: dropout must be in [0, 1), got ",
                     [=](double p) { make([=](auto& o) { o.dropout = p; }); });
  rows += bad_values("MultiHeadAttention with attention_dropout", kNoProbability, "attention_dropout must be in [0, 1), got ",
                     [=](double p) { make([=](auto& o) { o.attention_dropout = p; }); });
  rows += bad_values("MultiHeadAttention with a sink", {kNaN, kInfinity}, "MultiHeadAttention: the sink must be in [-inf, inf), got ",
                     [=](double s) { make([=](auto& o) { o.sink = s; }); });
  const Tensor x = f32({2, 3, 8}), none;
  const auto attend = [](const Tensor& a, const nn::AttentionInputs& in = {}) {
    nn::MultiHeadAttention({.d_model = 8, .heads = 2})(a, in);
  };
  rows += {
      REFUSED(graph, attend(none), "MultiHeadAttention: x is undefined"),
      REFUSED(dtype, attend(f64({2, 3, 8})), "MultiHeadAttention: x is f64, but q_proj.weight"),
      REFUSED(shape, attend(f32({3, 8})), "MultiHeadAttention: expected [B, T, 8]"),
      REFUSED(shape, attend(f32({2, 3, 7})), "MultiHeadAttention: expected [B, T, 8]"),
      REFUSED(shape, attend(x, {.memory = f32({1, 3, 8})}),
              "MultiHeadAttention: x [2, 3, 8] and the memory [1, 3, 8] are not of the same samples"),
      REFUSED(dtype, attend(x, {.memory = f64({2, 3, 8})}), "but memory is f64"),
      REFUSED(shape, attend(x, {.positions = arange(4)}), "positions must have shape"),
      REFUSED(dtype, attend(x, {.positions = f32({3})}), "positions must be i64"),
      REFUSED(shape, attend(x, {.mask = i64({4, 4})}), "attention: a mask or bias"),
      {"MultiHeadAttention with a cache and a memory",
       [=] { nn::KeyValueCache cache; attend(x, {.memory = x, .cache = &cache}); }, Raises::value,
       "MultiHeadAttention: a cache holds the past of self-attention"},
      {"MultiHeadAttention with a cache of another batch",
       [=] { nn::KeyValueCache cache{f32({1, 2, 2, 4}), f32({1, 2, 2, 4}), arange(2)}; attend(x, {.cache = &cache}); },
       Raises::shape, "KeyValueCache: holds keys [1, 2, 2, 4], to which [2, 3, 2, 4] cannot be joined"},
      {"MultiHeadAttention with first values of another shape",
       [=] {
         Tensor first = f32({2, 3, 1, 4});
         nn::MultiHeadAttention({.d_model = 8, .heads = 2, .value_residual = true})(x, {.first_values = &first});
       },
       Raises::shape, "MultiHeadAttention: values of shape [2, 3, 2, 4], but the first layer's have [2, 3, 1, 4]"},
      {"KeyValueCache extended by nothing",
       [] { Tensor k, v, at; nn::KeyValueCache().extend(k, v, at); }, Raises::graph, "KeyValueCache: k is undefined"},
      {"KeyValueCache extended by 3 keys at 2 positions",
       [] { Tensor k = f32({1, 3, 2, 4}), v = k, at = arange(2); nn::KeyValueCache().extend(k, v, at); }, Raises::shape,
       "KeyValueCache: expected k and v [B, S, G, d] and positions [S] or [B, S]"},
  };
  for (const auto& norm : nn::qk_norms().variants) {
    const std::string row(norm.name);
    const auto normalize = [row](const Tensor& q, const Tensor& k) {
      (*nn::qk_norms().find(row).value({.head_dim = 4, .heads = 2}))(q, k);
    };
    const Tensor good = f32({2, 3, 2, 4});
    rows += {
        {"qk-norm " + row + " without q", [=] { normalize({}, good); }, Raises::graph, " is undefined"},
        {"qk-norm " + row + " without k", [=] { normalize(good, {}); }, Raises::graph, " is undefined"},
        {"qk-norm " + row + " of f64", [=] { normalize(f64({2, 3, 2, 4}), good); }, Raises::dtype, " is f64, but "},
        {"qk-norm " + row + " of width 5", [=] { normalize(f32({2, 3, 2, 5}), good); }, Raises::shape, ": "},
    };
  }
  rows += {
      REFUSED(shape, nn::CosineQKNorm(4, 2)(f32({2, 3, 3, 4}), f32({2, 3, 3, 4})),
              "CosineQKNorm: has a scale for each of 2 heads, got queries of 3"),
      REFUSED(value, nn::CosineQKNorm(0, 2), "CosineQKNorm: head_dim and heads must be positive"),
      REFUSED(value, nn::CosineQKNorm(4, -1), "CosineQKNorm: head_dim and heads must be positive"),
      REFUSED(value, nn::HeadNorms(-1), "RMSNorm: the width must be positive, got -1"),
  };
  rows += bad_values("CosineQKNorm with an eps", kNegative, "CosineQKNorm: eps must be finite and not negative, got ",
                     [](double eps) { nn::CosineQKNorm(4, 2, eps); });
  return rows;
}

}  // namespace gradus::test
