#include "nn/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/activation/softmax.h"
#include "nn/check_inputs.h"
#include "nn/dropout.h"

namespace gradus::nn {
namespace {

double scale_of(const Tensor& q, const ScaledDotOptions& options) {
  return options.scale != 0 ? options.scale : 1 / std::sqrt(static_cast<double>(q.size(3)));
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options);

Tensor heads_first(const Tensor& x) { return permute(x, {0, 2, 1, 3}); }  // [B, H, T, d]

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool hides_keys(const Tensor& bias) { return bias.numel() > 0 && min(bias).item() == -kInfinity; }

// #region attn-causal-mask
// 1 where query i may see key j. The queries are the last T of the S positions.
Tensor visible_keys(int64_t queries, int64_t keys, const ScaledDotOptions& options) {
  const Tensor i = unsqueeze(arange(queries), 1) + (keys - queries), j = unsqueeze(arange(keys), 0);
  Tensor visible = ones({queries, keys}, DType::i64);
  if (options.causal) visible = logical_and(visible, j <= i);
  // #region attn-sliding-window
  if (options.window > 0) {
    const int64_t reach = std::min(options.window, queries + keys);  // no two are farther apart
    visible = logical_and(visible, logical_and(j > i - reach, j < i + reach));
  }
  // #endregion attn-sliding-window
  if (options.bias.defined() && hides_keys(options.bias)) {
    visible = logical_and(visible, ne(options.bias, -kInfinity));
  }
  return options.mask.defined() ? logical_and(visible, options.mask) : visible;
}

// A row with nothing visible becomes zeros: its scores are replaced first, so that no NaN is made, forward or backward.
Tensor masked_softmax(const Tensor& scores, const Tensor& visible) {
  if (scores.numel() == 0) return scores;
  const Tensor anything = max(visible, -1, true);
  const Tensor hidden = logical_and(logical_not(visible), anything);
  const Tensor filled = masked_fill(scores, hidden, -kInfinity);
  if (min(anything).item() == 1) return softmax(filled);
  return softmax(masked_fill(filled, logical_not(anything), 0)) * anything;
}
// #endregion attn-causal-mask

// #region attn-sink
// The softmax over all keys and the sink, without the sink's own probability.
Tensor softmax_beside_sink(const Tensor& scores, const Tensor& visible, const Tensor& sink) {
  Shape one = scores.shape(), always = visible.shape();
  one[-1] = always[-1] = 1;
  const Tensor with_sink = cat({scores, expand(reshape(sink, {-1, 1, 1}), one)}, -1);
  const Tensor p = masked_softmax(with_sink, cat({visible, ones(always, DType::i64)}, -1));
  return slice(p, -1, 0, scores.size(-1));
}
// #endregion attn-sink

}  // namespace

// #region attn-softcap
// y = c tanh(x / c)      dL/dx = (1 - (y / c)²) dL/dy
Tensor softcap(const Tensor& x, double c) {
  check_inputs({{"x", x}});
  check_range("the cap", c, range::positive);
  return c * tanh(x / c);
}
// #endregion attn-softcap

// #region attn-scaled-dot
static Tensor probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options) {
  const Tensor all_keys = heads_first(repeat_heads(k, q.size(2)));
  Tensor scores = matmul(heads_first(q), all_keys, {.transpose_b = true}) * scale_of(q, options);
  if (options.softcap > 0) scores = softcap(scores, options.softcap);
  if (options.bias.defined()) scores = scores + options.bias;
  const Tensor visible = visible_keys(q.size(1), k.size(1), options);
  const Tensor p = options.sink.defined() ? softmax_beside_sink(scores, visible, options.sink) : masked_softmax(scores, visible);
  return options.dropout > 0 ? dropout(p, options.dropout) : p;
}

// y = P v, P = softmax(scale · q kᵀ + M), with M = -∞ where a key is hidden, else 0      dL/dv = Pᵀ g, g = dL/dy
// dL/dq = scale · dS k, dS = P ⊙ (g vᵀ - D), D_i = g_i · y_i                             dL/dk = scale · dSᵀ q
Tensor formula::attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  const FormulaOnly readable;  // softmax too
  const Tensor p = probabilities(q, k, options);
  return weigh_values(p, v);
}
// #endregion attn-scaled-dot

namespace {

bool has_fast_path(const Tensor& q, const Tensor& k, const ScaledDotOptions& o) {
  const bool sees_itself = o.window == 0 || q.size(1) <= k.size(1);
  return sees_itself && !o.mask.defined() && !o.bias.defined() && o.softcap == 0 && o.dropout == 0;
}

// f(q, k, v, options), in f32 where they are f16: scores are larger than their softmax, and than the result.
template <typename F>
Tensor with_wide_scores(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options, const F& f) {
  return in_f32({q, k, v, options.bias, options.sink}, [&](const Tensors& in) {
    ScaledDotOptions wide = options;
    wide.bias = in[3];
    wide.sink = in[4];
    return f(in[0], in[1], in[2], wide);
  });
}

Tensor attention_by_ops(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return weigh_values(probabilities(q, k, options), v);
}

}  // namespace

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  check_shapes(q, k, v, options);
  if (!has_fast_path(q, k, options)) return with_wide_scores(q, k, v, options, attention_by_ops);
  const double scale = scale_of(q, options);
  const bool causal = options.causal;
  const int64_t window = options.window;
  return fused(
      "attention", {q, k, v, options.sink},
      [=](const Tensors& in) {
        return formula::attention(in[0], in[1], in[2], {.causal = causal, .window = window, .scale = scale, .sink = in[3]});
      },
      fast::attention(scale, causal, window));
}

// #region attn-gqa
// #region attn-mqa
Tensor repeat_heads(const Tensor& x, int64_t heads) {
  check_defined({{"x", x}});
  check<ShapeError>(x.rank() == 4 && x.size(2) > 0 && heads > 0 && heads % x.size(2) == 0,
                    "repeat_heads: expected x [B, S, G, d] with G dividing {} heads, got {}", heads, x.shape());
  if (x.size(2) == heads) return x;
  const Shape repeated{x.size(0), x.size(1), x.size(2), heads / x.size(2), x.size(3)};
  return flatten(expand(unsqueeze(x, 3), repeated), 2, 3);
}
// #endregion attn-mqa
// #endregion attn-gqa

Tensor padding_mask(const Tensor& lengths, int64_t positions) {
  check_defined({{"lengths", lengths}});
  check<ShapeError>(lengths.rank() == 1, "padding_mask: expected lengths [B], got {}", lengths.shape());
  check<DTypeError>(lengths.dtype() == DType::i64, "padding_mask: lengths must be i64, got {}; use cast(lengths, DType::i64)",
                    lengths.dtype());
  check<ValueError>(positions >= 0, "padding_mask: the number of positions must not be negative, got {}", positions);
  for (const double length : to_vector(lengths)) {
    check<ValueError>(0 <= length && length <= static_cast<double>(positions), "padding_mask: a length of {} among {} positions", length,
                      positions);
  }
  return arange(positions) < reshape(lengths, {-1, 1, 1, 1});
}

Tensor weigh_values(const Tensor& probabilities, const Tensor& v) {
  check_inputs({{"probabilities", probabilities}, {"v", v}});
  const bool fit = probabilities.rank() == 4 && v.rank() == 4 && probabilities.size(0) == v.size(0) && v.size(2) > 0 &&
                   probabilities.size(1) % v.size(2) == 0 && probabilities.size(3) == v.size(1);
  check<ShapeError>(fit, "weigh_values: expected probabilities [B, H, T, S] and v [B, S, G, d] with G dividing H, got {}, {}",
                    probabilities.shape(), v.shape());
  return heads_first(matmul(probabilities, heads_first(repeat_heads(v, probabilities.size(1)))));
}

Tensor attention_probabilities(const Tensor& q, const Tensor& k, const ScaledDotOptions& options) {
  check_shapes(q, k, k, options);
  return with_wide_scores(q, k, {}, options, [](const Tensor& wide_q, const Tensor& wide_k, const Tensor&, const ScaledDotOptions& wide) {
    return probabilities(wide_q, wide_k, wide);
  });
}

// --- what may go wrong -----------------------------------------------------------------------------------------

namespace {

// The sizes of q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] where T, H and S, G may be exchanged.
struct AttentionShapes {
  Shape q, k, v;
  bool fit() const {
    return q.rank() == 4 && k.rank() == 4 && v.rank() == 4 && k.slice(0, 3) == v.slice(0, 3) && q[0] == k[0] && k[2] > 0 &&
           q[2] % k[2] == 0 && q[3] == k[3];
  }
  AttentionShapes heads_first() const {
    const auto exchanged = [](const Shape& s) { return s.rank() == 4 ? Shape{s[0], s[2], s[1], s[3]} : s; };
    return {exchanged(q), exchanged(k), exchanged(v)};
  }
  Shape scores() const { return {q[0], q[2], q[1], k[1]}; }
};

// What an error adds where the arguments would fit as [B, H, T, d].
const char* layout_advice(bool fits_heads_first) {
  return fits_heads_first ? "; the layout here is [B, T, H, d]: if the heads came first, [B, H, T, d], use transpose(x, 1, 2)" : "";
}

void check_options(const ScaledDotOptions& options, const AttentionShapes& shapes) {
  const AttentionShapes exchanged = shapes.heads_first();
  check<ValueError>(options.window >= 0, "attention: the window must not be negative, got {}", options.window);
  check_range("dropout", options.dropout, range::below_one, "attention");
  check_range("softcap", options.softcap, range::not_negative, "attention");
  check_range("the scale", options.scale, range::finite, "attention");
  const Tensor& sink = options.sink;
  const int64_t heads = shapes.q[2];
  check<ShapeError>(!sink.defined() || sink.shape() == Shape{heads},
                    "attention: the sink has one score for each of {} heads, so shape [{}], got {}{}", heads, heads,
                    sink.defined() ? sink.shape() : Shape{}, layout_advice(sink.defined() && sink.shape() == Shape{exchanged.q[2]}));
  check<DTypeError>(!options.mask.defined() || options.mask.dtype() == DType::i64,
                    "attention: a mask holds zeros and ones as i64 (1: visible); give what is added to the scores as bias");
  check<ValueError>(
      !options.mask.defined() || options.mask.numel() == 0 || (min(options.mask).item() >= 0 && max(options.mask).item() <= 1),
      "attention: a mask holds ones (visible) and zeros (hidden); give what is added to the scores as bias");
  check<DTypeError>(!options.bias.defined() || is_floating(options.bias.dtype()),
                    "attention: a bias is added to the scores and must be floating, got {}; give zeros and ones as mask",
                    options.bias.defined() ? options.bias.dtype() : DType::f32);
  for (const Tensor& given : {options.mask, options.bias}) {
    if (!given.defined()) continue;
    const Shape scores = shapes.scores();
    check<ShapeError>(broadcasts_to(given.shape(), scores),
                      "attention: a mask or bias of shape {} does not broadcast to the scores' [B, H, T, S] = {}{}", given.shape(), scores,
                      layout_advice(broadcasts_to(given.shape(), exchanged.scores())));
  }
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  check_inputs({{"q", q}, {"k", k}, {"v", v}}, {{"sink", options.sink}}, "attention");
  const AttentionShapes shapes{q.shape(), k.shape(), v.shape()}, exchanged = shapes.heads_first();
  check<ShapeError>(shapes.fit(),
                    "attention: expected q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] with G dividing H, got {}, {}, {}{}", shapes.q,
                    shapes.k, shapes.v, layout_advice(exchanged.fit()));
  check<ShapeError>(!options.causal || q.size(1) <= k.size(1),
                    "attention: causal with {} queries but only {} keys: the first would see nothing{}", q.size(1), k.size(1),
                    layout_advice(exchanged.fit() && q.size(2) <= k.size(2)));
  check_options(options, shapes);
  common_dtype(std::array{q, options.bias}, "attention");
}

}  // namespace

}  // namespace gradus::nn
