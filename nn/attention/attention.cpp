#include "nn/attention/attention.h"

#include <cmath>
#include <limits>

#include "core/autograd/record.h"
#include "core/kernels/attention.h"
#include "nn/activation/softmax.h"
#include "nn/dropout.h"

namespace gradus::nn {
namespace {

double scale_of(const Tensor& q, const ScaledDotOptions& options) {
  return options.scale != 0 ? options.scale : 1 / std::sqrt(static_cast<double>(q.size(3)));
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  const bool fit = q.rank() == 4 && k.rank() == 4 && k.shape() == v.shape() && q.size(0) == k.size(0) &&
                   k.size(2) > 0 && q.size(2) % k.size(2) == 0 && q.size(3) == k.size(3);
  check<ShapeError>(fit, "attention: expected q [B, T, H, d] and k, v [B, S, G, d] with G dividing H, got {}, {}, {}",
                    q.shape(), k.shape(), v.shape());
  check<ShapeError>(!options.causal || q.size(1) <= k.size(1),
                    "attention: causal with {} queries but only {} keys: the first would see nothing", q.size(1),
                    k.size(1));
  check<ValueError>(options.window >= 0, "attention: the window must not be negative, got {}", options.window);
  const Shape scores{q.size(0), q.size(2), q.size(1), k.size(1)};
  for (const Tensor& given : {options.mask, options.bias}) {
    if (!given.defined()) continue;
    check<ShapeError>(broadcasts_to(given.shape(), scores),
                      "attention: a mask or bias of shape {} does not broadcast to the scores' [B, H, T, S] = {}",
                      given.shape(), scores);
  }
}

Tensor heads_first(const Tensor& x) { return permute(x, {0, 2, 1, 3}); }  // [B, H, T, d]

// Each of G heads, as often as it serves: [B, S, G, d] to [B, S, H, d].
Tensor repeat_heads(const Tensor& x, int64_t heads) {
  if (x.size(2) == heads) return x;
  const Shape repeated{x.size(0), x.size(1), x.size(2), heads / x.size(2), x.size(3)};
  return flatten(expand(unsqueeze(x, 3), repeated), 2, 3);
}

// #region attn-causal-mask
// 1 where query i may see key j. The queries are the last T of the S positions.
Tensor visible_keys(int64_t queries, int64_t keys, const ScaledDotOptions& options) {
  const Tensor i = unsqueeze(arange(queries), 1) + static_cast<double>(keys - queries), j = unsqueeze(arange(keys), 0);
  Tensor visible = ones({queries, keys}, DType::i64);
  if (options.causal) visible = logical_and(visible, j <= i);
  if (options.window > 0) {
    const auto reach = static_cast<double>(options.window);
    visible = logical_and(visible, logical_and(j > i - reach, j < i + reach));
  }
  return options.mask.defined() ? logical_and(visible, options.mask) : visible;
}

// A row with nothing visible becomes zeros: its scores are replaced first, so that no NaN is made, forward or backward.
Tensor masked_softmax(const Tensor& scores, const Tensor& visible, Tensor (*softmax_of)(const Tensor&)) {
  const Tensor anything = max(visible, -1, true);
  const Tensor hidden = logical_and(logical_not(visible), anything);
  const Tensor filled = masked_fill(scores, hidden, -std::numeric_limits<double>::infinity());
  return softmax_of(masked_fill(filled, logical_not(anything), 0)) * anything;
}
// #endregion attn-causal-mask

Tensor probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options,
                     Tensor (*softmax_of)(const Tensor&)) {
  const Tensor all_keys = heads_first(repeat_heads(k, q.size(2)));
  Tensor scores = matmul(heads_first(q), all_keys, {.transpose_b = true}) * scale_of(q, options);
  if (options.softcap > 0) scores = options.softcap * tanh(scores / options.softcap);
  if (options.bias.defined()) scores = scores + options.bias;
  const Tensor p = masked_softmax(scores, visible_keys(q.size(1), k.size(1), options), softmax_of);
  return options.dropout > 0 ? dropout(p, options.dropout) : p;
}

bool has_fast_path(const ScaledDotOptions& o) {
  return o.window == 0 && !o.mask.defined() && !o.bias.defined() && o.softcap == 0 && o.dropout == 0;
}

Tensor tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal) {
  const kernels::Attention forward = kernels::attention(q, k, v, scale, causal);
  return record_fused(
      "attention", forward.y, {q, k, v},
      [=](const Tensors& in) {
        return formula::attention(in[0], in[1], in[2], {.causal = causal, .scale = scale});
      },
      [=, log_sum = forward.log_sum](const Step& s) {
        const auto d =
            kernels::attention_backward(s.grad, s.input(0), s.input(1), s.input(2), {s.output(), log_sum}, scale, causal);
        return Tensors{d.q, d.k, d.v};
      });
}

}  // namespace

// #region attn-scaled-dot
Tensor formula::attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  const Tensor p = probabilities(q, k, options, formula::softmax);  // softmax(scale · q kᵀ + M)
  return weigh_values(p, v);                                        // P v
}
// #endregion attn-scaled-dot

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  check_shapes(q, k, v, options);
  if (formula_only()) return formula::attention(q, k, v, options);
  if (!has_fast_path(options)) return weigh_values(probabilities(q, k, options, softmax), v);
  const int64_t heads = q.size(2);
  return tiled_attention(q, repeat_heads(k, heads), repeat_heads(v, heads), scale_of(q, options), options.causal);
}

Tensor weigh_values(const Tensor& probabilities, const Tensor& v) {
  return heads_first(matmul(probabilities, heads_first(repeat_heads(v, probabilities.size(1)))));
}

Tensor attention_probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options) {
  check_shapes(q, k, k, options);
  return probabilities(q, k, options, formula_only() ? formula::softmax : softmax);
}

}  // namespace gradus::nn
