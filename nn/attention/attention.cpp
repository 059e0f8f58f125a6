#include "nn/attention/attention.h"

#include <cmath>
#include <limits>

#include "core/autograd/record.h"
#include "core/kernels/attention.h"
#include "nn/activation/softmax.h"

namespace gradus::nn {
namespace {

double score_scale(const Tensor& q) { return 1 / std::sqrt(static_cast<double>(q.size(3))); }

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options) {
  const bool fit = q.rank() == 4 && k.rank() == 4 && k.shape() == v.shape() && q.size(0) == k.size(0) &&
                   q.size(2) == k.size(2) && q.size(3) == k.size(3);
  check<ShapeError>(fit, "attention: expected q [B, T, H, d] and k, v [B, S, H, d], got {}, {}, {}", q.shape(), k.shape(),
                    v.shape());
  check<ShapeError>(k.size(1) > 0 || q.size(1) == 0, "attention: there are no keys to attend to");
  check<ShapeError>(!options.causal || q.size(1) <= k.size(1),
                    "attention: causal with {} queries but only {} keys: the first would see nothing", q.size(1),
                    k.size(1));
}

}  // namespace

// #region attn-scaled-dot
Tensor formula::attention(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options) {
  const auto heads_first = [](const Tensor& x) { return permute(x, {0, 2, 1, 3}); };  // [B, H, T, d]
  Tensor scores = matmul(heads_first(q), heads_first(k), {.transpose_b = true}) * score_scale(q);
  if (options.causal) {
    const int64_t queries = q.size(1), keys = k.size(1);
    const Tensor later = triu(ones({queries, keys}, DType::i64), keys - queries + 1);
    scores = masked_fill(scores, later, -std::numeric_limits<double>::infinity());
  }
  return heads_first(matmul(formula::softmax(scores), heads_first(v)));
}
// #endregion attn-scaled-dot

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options) {
  check_shapes(q, k, v, options);
  if (formula_only()) return formula::attention(q, k, v, options);
  const double scale = score_scale(q);
  const kernels::Attention forward = kernels::attention(q, k, v, scale, options.causal);
  return record_fused(
      "attention", forward.y, {q, k, v},
      [=](const Tensors& in) { return formula::attention(in[0], in[1], in[2], options); },
      [=, log_sum = forward.log_sum](const Step& s) {
        const auto d = kernels::attention_backward(s.grad, s.input(0), s.input(1), s.input(2), {s.output(), log_sum},
                                                   scale, options.causal);
        return Tensors{d.q, d.k, d.v};
      });
}

MultiHeadAttention::MultiHeadAttention(const AttentionOptions& o, Position* position)
    : q_proj(o.d_model, o.d_model, {o.bias}),
      k_proj(o.d_model, o.d_model, {o.bias}),
      v_proj(o.d_model, o.d_model, {o.bias}),
      out_proj(o.d_model, o.d_model, {o.bias}),
      dropout(o.dropout),
      options_(o),
      position_(position) {
  check<ValueError>(o.heads > 0 && o.d_model % o.heads == 0, "MultiHeadAttention: {} heads do not divide d_model {}",
                    o.heads, o.d_model);
  check<ValueError>(position != nullptr, "MultiHeadAttention: needs a position encoding");
}

// #region attn-multi-head
Tensor MultiHeadAttention::forward(const Tensor& x) {
  check<ShapeError>(x.rank() == 3, "MultiHeadAttention: expected [B, T, {}], got {}", options_.d_model, x.shape());
  const int64_t d_head = options_.d_model / options_.heads;
  const auto heads = [&](const Tensor& y) { return reshape(y, {x.size(0), x.size(1), options_.heads, d_head}); };
  const Tensor q = position_->on_heads(heads(q_proj(x)), 0);
  const Tensor k = position_->on_heads(heads(k_proj(x)), 0);
  const Tensor v = heads(v_proj(x));
  return dropout(out_proj(reshape(attention(q, k, v, {options_.causal}), x.shape())));
}
// #endregion attn-multi-head

void MultiHeadAttention::members(Members& m) {
  m.child("q_proj", q_proj);
  m.child("k_proj", k_proj);
  m.child("v_proj", v_proj);
  m.child("out_proj", out_proj);
  m.child("dropout", dropout);
}

std::string MultiHeadAttention::name() const {
  return fmt::format("MultiHeadAttention({} heads of {}{})", options_.heads, options_.d_model / options_.heads,
                     options_.causal ? ", causal" : "");
}

}  // namespace gradus::nn
