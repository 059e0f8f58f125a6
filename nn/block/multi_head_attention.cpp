#include "nn/block/multi_head_attention.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/options/range.h"
#include "nn/call_scope.h"
#include "nn/check_inputs.h"
#include "nn/embedding.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

// Do these keys and values come after what the cache holds?
void check_addition(const KeyValueCache& cache, const Tensor& k, const Tensor& v, const Tensor& positions) {
  check_inputs({{"k", k}, {"v", v}}, {{"keys", cache.keys}, {"values", cache.values}}, "KeyValueCache");
  check_defined({{"k_positions", positions}}, "KeyValueCache");
  check<ShapeError>(k.rank() == 4 && v.shape() == k.shape() && positions.rank() > 0 && positions.size(-1) == k.size(1),
                    "KeyValueCache: expected k and v [B, S, G, d] and positions [S] or [B, S], got {}, {} and {}", k.shape(), v.shape(),
                    positions.shape());
  check<DTypeError>(positions.dtype() == DType::i64, "KeyValueCache: positions must be i64, got {}", positions.dtype());
  const Tensors held{cache.keys, cache.values, cache.positions};
  const auto missing = std::count_if(held.begin(), held.end(), [](const Tensor& x) { return !x.defined(); });
  check<GraphError>(missing == 0 || missing == 3, "KeyValueCache: keys, values and positions are all defined, or none is");
  if (missing == 3) return;
  const bool fit = cache.keys.rank() == 4 && cache.values.shape() == cache.keys.shape() && cache.positions.rank() > 0 &&
                   cache.positions.rank() <= 2 && cache.positions.size(-1) == cache.keys.size(1);
  check<ShapeError>(fit, "KeyValueCache: holds keys {}, values {} and positions {}, which do not belong together", cache.keys.shape(),
                    cache.values.shape(), cache.positions.shape());
  check<DTypeError>(cache.positions.dtype() == DType::i64, "KeyValueCache: holds positions of {}, which must be i64",
                    cache.positions.dtype());
  Shape grown = cache.keys.shape();
  grown[1] = k.size(1);
  check<ShapeError>(grown == k.shape(), "KeyValueCache: holds keys {}, to which {} cannot be joined", cache.keys.shape(), k.shape());
}

// A map to keys or values; of one number, which nothing reads, where they are another layer's.
Linear kv_map(const AttentionOptions& o, LinearOptions options) {
  options.bias = o.bias;
  return o.shares_kv ? Linear(1, 1, options) : Linear(o.d_model, o.head_dim * o.kv_heads, options);
}

// With the width of the heads and the number of those of keys and values filled in.
AttentionOptions checked(AttentionOptions o) {
  o.head_dim = head_dim(o.d_model, o.heads, o.head_dim, "MultiHeadAttention");
  if (o.kv_heads == 0) o.kv_heads = o.heads;
  check<ValueError>(o.kv_heads > 0 && o.heads % o.kv_heads == 0, "MultiHeadAttention: {} heads of keys and values do not divide {} heads",
                    o.kv_heads, o.heads);
  check<ValueError>(o.window >= 0, "MultiHeadAttention: the window must not be negative, got {}", o.window);
  check_range("the softcap", o.softcap, range::not_negative, "MultiHeadAttention");
  check_range("the scale", o.scale, range::finite, "MultiHeadAttention");
  check_range("dropout", o.dropout, range::below_one, "MultiHeadAttention");
  check_range("attention_dropout", o.attention_dropout, range::below_one, "MultiHeadAttention");
  check<ValueError>(!o.residual_scores || o.softcap == 0,
                    "MultiHeadAttention: residual_scores are added up before a softcap, which would bound one layer's part; take "
                    "softcap 0");
  if (o.sink) check_range("the sink", *o.sink, {-range::infinity, range::infinity, true, false}, "MultiHeadAttention");
  check_range("temperature_growth", o.temperature_growth, range::finite, "MultiHeadAttention");
  check<ValueError>(o.temperature_length > 0, "MultiHeadAttention: temperature_length must be positive, got {}", o.temperature_length);
  check<ValueError>(o.value_embedding >= 0, "MultiHeadAttention: value_embedding must not be negative, got {}", o.value_embedding);
  check<ValueError>(o.value_embedding == 0 || !o.shares_kv,
                    "MultiHeadAttention: it shares an earlier layer's values, so there are none for a value_embedding to be added to");
  check<ValueError>(o.sink || !o.train_sink, "MultiHeadAttention: a sink that is trained needs one to start from: set sink");
  return o;
}

}  // namespace

int64_t head_dim(int64_t d_model, int64_t heads, int64_t given, OpName op) {
  const bool divides = d_model > 0 && heads > 0 && (given != 0 || d_model % heads == 0);
  check<ValueError>(divides, "{}: {} heads do not divide d_model {}", op, heads, d_model);
  if (given == 0) return d_model / heads;
  check_size("head_dim", given, op);
  check<ValueError>(given <= (int64_t{1} << 40) / heads, "{}: {} heads of width {} are more than 2⁴⁰ columns", op, heads, given);
  return given;
}

MultiHeadAttention::MultiHeadAttention(const AttentionOptions& o, PositionEncodingPtr position)
    : options_(checked(o)),
      q_proj(o.d_model, o.heads * options_.head_dim, {.bias = o.bias, .role = Role::scores}),
      k_proj(kv_map(options_, {.role = Role::scores})),
      v_proj(kv_map(options_, {})),
      out_proj(o.heads * options_.head_dim, o.d_model, {.bias = o.bias, .role = Role::writes_stream}),
      dropout(o.dropout),
      position_(std::move(position)) {
  if (o.head_gain) head_gain = ones({o.heads});
  if (o.train_sink) sink = full({o.heads}, *o.sink);
  if (o.value_residual) value_mix = full({2}, 0.5);
  if (o.value_embedding > 0) {
    value_table = zeros({check_size("value_embedding", o.value_embedding, "MultiHeadAttention"), v_proj.weight.size(0)});
    init_normal(value_table, 1 / std::sqrt(static_cast<double>(o.d_model)));
    value_gate = zeros({options_.kv_heads, std::min<int64_t>(o.d_model, 12)});
  }
  if (o.value_norm && !o.shares_kv) value_norm_ = o.value_norm->make({.width = options_.head_dim});
  if (o.qk_norm) qk_norm_ = o.qk_norm->make({.head_dim = options_.head_dim, .heads = o.heads, .keys = !o.shares_kv});
}

double MultiHeadAttention::score_scale() const {
  if (options_.scale != 0) return options_.scale;
  const double usual = 1 / std::sqrt(static_cast<double>(options_.head_dim));
  return qk_norm_ != nullptr ? qk_norm_->score_scale(usual) : usual;
}

Tensor MultiHeadAttention::split_heads(const Tensor& x) const {
  return reshape(x, {x.size(0), x.size(1), x.size(2) / options_.head_dim, options_.head_dim});
}

void MultiHeadAttention::check_call(const Tensor& x, const AttentionInputs& in) const {
  check_defined({{"x", x}}, "forward");
  const auto check_sequences = [&](const Tensor& given) {
    check<ShapeError>(given.rank() == 3 && given.size(2) == options_.d_model, "expected [B, T, {}], got {}", options_.d_model,
                      given.shape());
  };
  check_sequences(x);
  if (in.memory.defined()) {
    check_sequences(in.memory);
    check<ValueError>(!options_.shares_kv, "it shares an earlier layer's keys and values, and has no use for a memory");
    check<ValueError>(!value_table.defined(), "a value_embedding is of the tokens of x; it cannot be used with a memory");
    check<ValueError>(in.cache == nullptr, "a cache holds the past of self-attention; it cannot be used with a memory");
  }
  if (value_table.defined()) {
    check<GraphError>(in.ids.defined(), "it adds a row of a table for each id, and no ids were given; a LanguageModel hands them on");
    check<ShapeError>(in.ids.shape() == x.shape().slice(0, 2), "x has shape {}, so ids must have shape {}, got {}", x.shape(),
                      x.shape().slice(0, 2), in.ids.shape());
  }
  for (const Tensor& given : {in.key_source, in.value_source}) {
    if (!given.defined()) continue;
    check<ShapeError>(given.shape() == x.shape(), "x has shape {}, so keys and values must be made from the same, got {}", x.shape(),
                      given.shape());
    check<ValueError>(!in.memory.defined() && !options_.shares_kv, "keys and values come from a memory, or from an earlier layer");
  }
  check<GraphError>(!options_.shares_kv || (in.kv != nullptr && in.kv->keys.defined()),
                    "it shares an earlier layer's keys and values; give them as AttentionInputs::kv");
  if (in.positions.defined()) {
    const Shape shared{x.size(1)}, own{x.size(0), x.size(1)};
    check<ShapeError>(in.positions.shape() == shared || in.positions.shape() == own,
                      "x has shape {}, so positions must have shape {} or {}, got {}", x.shape(), shared, own, in.positions.shape());
    check<DTypeError>(in.positions.dtype() == DType::i64, "positions must be i64, got {}", in.positions.dtype());
  }
}

// #region attn-kv-cache
// What is new comes after what the cache holds, and stays there.
void KeyValueCache::extend(Tensor& k, Tensor& v, Tensor& k_positions) {
  check_addition(*this, k, v, k_positions);
  if (length() > 0) {
    k = cat({keys, k}, 1);
    v = cat({values, v}, 1);
    if (positions.rank() < k_positions.rank()) positions = expand(positions, {k_positions.size(0), positions.size(-1)});
    if (positions.rank() > k_positions.rank()) k_positions = expand(k_positions, {positions.size(0), k_positions.size(-1)});
    k_positions = cat({positions, k_positions}, -1);
  }
  *this = {k, v, k_positions};
}
// #endregion attn-kv-cache

// #region attn-multi-head
Tensor MultiHeadAttention::operator()(const Tensor& x, const AttentionInputs& in) {
  const CallScope call(*this);
  check_call(x, in);
  call.dimensions({{"B", x.size(0)}, {"T", x.size(1)}, {"C", x.size(2)}, {"H", options_.heads}});
  const Tensor& source = in.memory.defined() ? in.memory : x;
  const auto past = static_cast<double>(in.cache != nullptr ? in.cache->length() : 0);
  Positions positions;
  positions.queries = in.positions.defined() ? in.positions : arange(x.size(1)) + past;
  positions.keys = in.memory.defined() ? arange(source.size(1)) : positions.queries;

  const Projected own = project(x, source, positions, in);
  const KeyValueCache all = with_past(own, positions.keys, in);
  positions.keys = all.positions;
  ScaledDotOptions options = scores(own.q, all.keys, positions, in);
  Tensor summed;
  if (options_.residual_scores && in.scores != nullptr) {
    summed = sum_of_scores(own.q, all.keys, options, *in.scores);
    if (in.scores->defined()) options.bias = options.bias.defined() ? options.bias + *in.scores : *in.scores;
  }
  const bool onto_values = position_ != nullptr && position_->acts_on_values();
  Tensor y = onto_values ? with_positions_of_values(own.q, all.keys, all.values, positions, options)
                         : attention(own.q, all.keys, all.values, options);
  if (head_gain.defined()) y = y * unsqueeze(head_gain, -1);
  y = dropout(out_proj(reshape(y, {x.size(0), x.size(1), options_.heads * options_.head_dim})));
  // Nothing can fail any more; a first layer leaves its values to the others.
  if (in.cache != nullptr) *in.cache = all;
  if (in.kv != nullptr) *in.kv = all;
  if (in.first_values != nullptr && !in.first_values->defined()) *in.first_values = own.v;
  if (summed.defined()) *in.scores = summed;
  return y;
}

// What this layer makes of its inputs.
MultiHeadAttention::Projected MultiHeadAttention::project(const Tensor& x, const Tensor& source, const Positions& positions,
                                                          const AttentionInputs& in) {
  Tensor q = split_heads(q_proj(x)), k, v;
  if (!options_.shares_kv) {
    k = split_heads(k_proj(in.key_source.defined() ? in.key_source : source));
    v = split_heads(v_proj(in.value_source.defined() ? in.value_source : source));
    if (value_norm_ != nullptr) v = (*value_norm_)(v);
    v = with_value_embedding(v, x, in.ids);
    if (in.first_values != nullptr) v = with_first_values(v, *in.first_values);
  }
  if (qk_norm_ != nullptr) std::tie(q, k) = (*qk_norm_)(q, k);
  if (position_ != nullptr) {
    q = position_->on_queries(q, positions.queries);
    if (k.defined()) k = position_->on_keys(k, positions.keys);
  }
  if (qk_norm_ != nullptr) q = qk_norm_->after_position(q);
  if (options_.temperature_growth != 0) {
    const Tensor scale = query_scale(positions.queries, options_.temperature_growth, options_.temperature_length, q.dtype());
    q = q * unsqueeze(unsqueeze(scale, -1), -1);
  }
  return {q, k, v};
}
// #endregion attn-multi-head

// All keys and values to attend to: those of an earlier layer, or the layer's own after what the cache holds.
KeyValueCache MultiHeadAttention::with_past(const Projected& own, const Tensor& positions, const AttentionInputs& in) const {
  if (options_.shares_kv) return *in.kv;
  KeyValueCache all{own.k, own.v, positions};
  if (in.cache == nullptr) return all;
  KeyValueCache grown = *in.cache;
  grown.extend(all.keys, all.values, all.positions);
  return grown;
}

// #region attn-temperature
// 1 + β log(1 + ⌊(p + 1) / L⌋), p in f64: a position may be beyond what f32 counts. For a query q' = s q with this factor s:
// dL/dq = s dL/dq'
Tensor query_scale(const Tensor& positions, double growth, int64_t length, DType dtype) {
  check_defined({{"positions", positions}});
  const Tensor steps = floor((cast(positions, DType::f64) + 1) / static_cast<double>(length));
  return cast(1 + growth * log(1 + steps), dtype);
}
// #endregion attn-temperature

// #region block-value-embedding
// v ← v + g ⊙ E[id], with a gate for each head of keys and values, u = W_g x₁…₁₂ and g = 3 σ(u) (Koszarsky, 2024; Karpathy, 2026).
//   dL/dE[i] = Σ over the tokens of id i of g ⊙ dL/dv'      dL/du = g (1 - g/3) Σ over the head's columns of E[id] ⊙ dL/dv'
// convention-value-embedding-gate: 3 σ, from 3/2, as in nanochat; modded-nanogpt has 2 σ, so that its gates start at 1.
Tensor MultiHeadAttention::with_value_embedding(const Tensor& v, const Tensor& x, const Tensor& ids) const {
  if (!value_table.defined()) return v;
  const Tensor gate = 3 * sigmoid(linear(slice(x, -1, 0, value_gate.size(1)), value_gate));  // [B, T, G]
  return v + unsqueeze(gate, -1) * split_heads(embedding(ids, value_table));
}
// #endregion block-value-embedding

// #region block-value-residual
// v ← λ₁ v + λ₂ v₁, v₁ the values of the first layer (Zhou et al., 2024).
Tensor MultiHeadAttention::with_first_values(const Tensor& v, const Tensor& first_values) const {
  if (!first_values.defined()) return v;
  check<ShapeError>(first_values.shape() == v.shape(), "values of shape {}, but the first layer's have {}", v.shape(),
                    first_values.shape());
  return value_mix.defined() ? value_mix[0] * v + value_mix[1] * first_values : v;
}
// #endregion block-value-residual

// #region block-residual-scores
// S ← scale · q kᵀ + S, with S of the layer below: what this layer's softmax is of, and what the next one is given (He et al., 2021).
Tensor MultiHeadAttention::sum_of_scores(const Tensor& q, const Tensor& k, const ScaledDotOptions& options, const Tensor& below) const {
  const Tensor keys = permute(repeat_heads(k, options_.heads), {0, 2, 1, 3});
  const Tensor own = options.scale * matmul(permute(q, {0, 2, 1, 3}), keys, {.transpose_b = true});  // [B, H, T, S]
  if (!below.defined()) return own;
  check<ShapeError>(below.shape() == own.shape(), "scores of shape {}, but those of the layer below have {}", own.shape(), below.shape());
  return own + below;
}
// #endregion block-residual-scores

// What attention() does to the scores, the position encoding's part among it.
ScaledDotOptions MultiHeadAttention::scores(const Tensor& q, const Tensor& k, const Positions& positions, const AttentionInputs& in) {
  ScaledDotOptions options{.causal = options_.causal,
                           .window = options_.window,
                           .mask = in.mask,
                           .bias = in.bias,
                           .scale = score_scale(),
                           .softcap = options_.softcap,
                           .sink = sink.defined() || !options_.sink ? sink : full({options_.heads}, *options_.sink, q.dtype()),
                           .dropout = training() ? options_.attention_dropout : 0};
  const Tensor from_position = position_ != nullptr ? position_->on_scores(q, k, positions, options.scale) : Tensor();
  if (from_position.defined()) options.bias = in.bias.defined() ? in.bias + from_position : from_position;
  return options;
}

// Attention whose probabilities the position encoding reads, to add to the result.
Tensor MultiHeadAttention::with_positions_of_values(const Tensor& q, const Tensor& k, const Tensor& v, const Positions& positions,
                                                    const ScaledDotOptions& options) {
  const Tensor p = attention_probabilities(q, k, options);
  const Tensor y = weigh_values(p, v), from_values = position_->on_values(p, positions);
  check_defined({{"the result of on_values", from_values}}, "attention");
  check<ShapeError>(from_values.shape() == y.shape(), "on_values gave {} for a result of {}", from_values.shape(), y.shape());
  return y + from_values;
}

void MultiHeadAttention::members(Members& m) {
  m.child("q_proj", q_proj);
  if (!options_.shares_kv) {
    m.child("k_proj", k_proj);
    m.child("v_proj", v_proj);
  }
  m.child("out_proj", out_proj);
  m.child("dropout", dropout);
  m.parameter("head_gain", head_gain, Role::gain);
  m.parameter("sink", sink, Role::other);
  m.parameter("value_mix", value_mix, Role::gain);
  m.parameter("value_table", value_table, Role::table);
  m.parameter("value_gate", value_gate, Role::other);
  if (qk_norm_ != nullptr) m.child("qk_norm", *qk_norm_);
  if (value_norm_ != nullptr) m.child("value_norm", *value_norm_);
}

std::string MultiHeadAttention::describe() const {
  std::string text = fmt::format("MultiHeadAttention({} heads of {}", options_.heads, options_.head_dim);
  if (options_.kv_heads != options_.heads) text += fmt::format(", {} of keys and values", options_.kv_heads);
  if (options_.causal) text += ", causal";
  if (options_.window > 0) text += fmt::format(", window {}", options_.window);
  if (options_.softcap > 0) text += fmt::format(", softcap {}", options_.softcap);
  if (options_.sink) text += options_.train_sink ? ", trained sink" : fmt::format(", sink {}", *options_.sink);
  if (options_.value_residual) text += ", value residual";
  if (options_.value_embedding > 0) text += ", value embedding";
  if (options_.temperature_growth != 0) text += fmt::format(", temperature {}", options_.temperature_growth);
  if (options_.shares_kv) text += ", keys and values of an earlier layer";
  if (options_.residual_scores) text += ", residual scores";
  return text + ")";
}

}  // namespace gradus::nn
