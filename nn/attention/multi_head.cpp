#include "nn/attention/multi_head.h"

#include <cmath>

namespace gradus::nn {
namespace {

AttentionOptions checked(AttentionOptions o) {
  check<ValueError>(o.heads > 0 && o.d_model > 0 && o.d_model % o.heads == 0,
                    "MultiHeadAttention: {} heads do not divide d_model {}", o.heads, o.d_model);
  if (o.kv_heads == 0) o.kv_heads = o.heads;
  check<ValueError>(o.kv_heads > 0 && o.heads % o.kv_heads == 0,
                    "MultiHeadAttention: {} heads of keys and values do not divide {} heads", o.kv_heads, o.heads);
  return o;
}

int64_t kv_width(const AttentionOptions& o) { return checked(o).d_model / o.heads * checked(o).kv_heads; }

}  // namespace

MultiHeadAttention::MultiHeadAttention(const AttentionOptions& o, Position* position)
    : q_proj(o.d_model, o.d_model, {o.bias}),
      k_proj(o.d_model, kv_width(o), {o.bias}),
      v_proj(o.d_model, kv_width(o), {o.bias}),
      out_proj(o.d_model, o.d_model, {o.bias}),
      dropout(o.dropout),
      options_(checked(o)),
      head_dim_(o.d_model / o.heads),
      position_(position) {}

Tensor MultiHeadAttention::split_heads(const Tensor& x) const {
  return reshape(x, {x.size(0), x.size(1), -1, head_dim_});
}

// #region attn-multi-head
Tensor MultiHeadAttention::attend(const Tensor& x, const AttentionInputs& in) {
  const Tensor& source = in.memory.defined() ? in.memory : x;
  const auto past = static_cast<double>(in.cache != nullptr ? in.cache->length() : 0);
  Places places{in.places.defined() ? in.places : arange(x.size(1)) + past, {}};
  const Tensor source_places = in.memory.defined() ? arange(source.size(1)) : places.queries;

  Tensor q = split_heads(q_proj(x)), k = split_heads(k_proj(source)), v = split_heads(v_proj(source));
  if (position_ != nullptr) {
    q = position_->on_queries(q, places.queries);
    k = position_->on_keys(k, source_places);
  }
  places.keys = source_places;
  if (in.cache != nullptr) {
    if (past > 0) {
      k = cat({in.cache->keys, k}, 1);
      v = cat({in.cache->values, v}, 1);
    }
    *in.cache = {k, v};
    places.keys = arange(k.size(1));
  }
  const Tensor y = mix(q, k, v, places, in.mask);
  return dropout(out_proj(reshape(y, {x.size(0), x.size(1), -1})));
}
// #endregion attn-multi-head

// Softmax(scores) v, with what the position encoding adds to the scores and to the result.
Tensor MultiHeadAttention::mix(const Tensor& q, const Tensor& k, const Tensor& v, const Places& places,
                               const Tensor& mask) {
  ScaledDotOptions options{.causal = options_.causal,
                           .window = options_.window,
                           .mask = mask,
                           .scale = 1 / std::sqrt(static_cast<double>(head_dim_)),
                           .softcap = options_.softcap,
                           .dropout = training() ? options_.attention_dropout : 0};
  if (position_ == nullptr) return attention(q, k, v, options);
  options.bias = position_->on_scores(q, k, places, options.scale);
  if (!position_->acts_on_values()) return attention(q, k, v, options);
  const Tensor p = attention_probabilities(q, k, options);
  return weigh_values(p, v) + position_->on_values(p, places);
}

void MultiHeadAttention::members(Members& m) {
  m.child("q_proj", q_proj);
  m.child("k_proj", k_proj);
  m.child("v_proj", v_proj);
  m.child("out_proj", out_proj);
  m.child("dropout", dropout);
}

std::string MultiHeadAttention::name() const {
  const std::string shared = options_.kv_heads == options_.heads ? "" : fmt::format(", {} of keys and values", options_.kv_heads);
  return fmt::format("MultiHeadAttention({} heads of {}{}{})", options_.heads, head_dim_, shared,
                     options_.causal ? ", causal" : "");
}

}  // namespace gradus::nn
