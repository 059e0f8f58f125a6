#include "examples/shared/mistakes/attentions.h"

#include <cmath>
#include <limits>

#include "core/tensor/random.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

using nn::ScaledDotOptions;

Tensor heads_first(const Tensor& x) { return permute(x, {0, 2, 1, 3}); }  // [B, T, H, d] and [B, H, T, d], both ways

// With -∞ where the options' own mask or window hides a key.
Tensor scores(const Tensor& q, const Tensor& k, const ScaledDotOptions& options) {
  const Tensor product = matmul(heads_first(q), heads_first(nn::repeat_heads(k, q.size(2))), {.transpose_b = true});
  Tensor s = options.scale != 0 ? product * options.scale : product / std::sqrt(static_cast<double>(q.size(3)));
  if (options.softcap > 0) s = options.softcap * tanh(s / options.softcap);
  if (options.bias.defined()) s = s + options.bias;
  const auto hide = [&](const Tensor& visible) { s = masked_fill(s, logical_not(visible), -std::numeric_limits<double>::infinity()); };
  if (options.mask.defined()) hide(options.mask);
  if (options.window > 0) hide(triu(tril(ones({q.size(1), k.size(1)}, DType::i64), options.window - 1), 1 - options.window));
  return s;
}

// The scores with -∞ where key > query + `ahead`.
Tensor masked(const Tensor& scores, int64_t ahead = 0) {
  const Tensor visible = tril(ones({scores.size(2), scores.size(3)}, DType::i64), ahead);
  return masked_fill(scores, logical_not(visible), -std::numeric_limits<double>::infinity());
}

Tensor with_scale(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options, double scale) {
  options.scale = scale;
  return nn::attention(q, k, v, options);
}

Tensor mask_after_softmax(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return nn::weigh_values(tril(nn::softmax(scores(q, k, options))), v);
}

Tensor softmax_over_queries(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return nn::weigh_values(transpose(nn::softmax(transpose(masked(scores(q, k, options))))), v);
}

Tensor mask_off_by_one(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return nn::weigh_values(nn::softmax(masked(scores(q, k, options), 1)), v);
}

Tensor mask_with_zero(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return nn::weigh_values(nn::softmax(tril(scores(q, k, options))), v);
}

Tensor mask_not_applied(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options) {
  options.causal = false;
  return nn::attention(q, k, v, options);
}

Tensor merge_without_transpose(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return reshape(heads_first(nn::attention(q, k, v, options)), q.shape());
}

// view(B, H, T, d) of what is [B, T, H·d] in memory.
Tensor split_without_transpose(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  const auto split = [](const Tensor& x) { return heads_first(reshape(x, {x.size(0), x.size(2), x.size(1), x.size(3)})); };
  return reshape(heads_first(nn::attention(split(q), split(k), split(v), options)), q.shape());
}

// [B, 1, 1, S] becomes [B, 1, S, 1]: the padding's queries are hidden, not its keys.
Tensor mask_on_queries(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotOptions options) {
  if (options.mask.defined()) options.mask = transpose(options.mask);
  return nn::attention(q, k, v, options);
}

// Heads 0 1 0 1 of keys and values for four of queries, not 0 0 1 1.
Tensor kv_heads_tiled(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  const auto tiled = [&](const Tensor& x) { return cat(Tensors(static_cast<std::size_t>(q.size(2) / x.size(2)), x), 2); };
  return nn::attention(q, tiled(k), tiled(v), options);
}

Tensor no_scale(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, 1);
}

Tensor scale_by_model(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, 1 / std::sqrt(static_cast<double>(q.size(2) * q.size(3))));
}

Tensor divided_by_scale(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, std::sqrt(static_cast<double>(q.size(3))));
}

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

}  // namespace

PublishedAttention right_attention() { return {{"right", "", "", ""}, nn::attention}; }

const std::vector<PublishedAttention>& wrong_attentions() {
  static const std::vector<PublishedAttention> all{
      {{"attn/mask-after-softmax", "the mask multiplies the probabilities", "", "future"}, mask_after_softmax},
      {{"softmax/axis", "softmax over the queries", "PyTorch-NLP#2, labml#146", "future"}, softmax_over_queries},
      {{"attn/mask-off-by-one", "each query sees one key too many", "", "future"}, mask_off_by_one},
      {{"attn/mask-with-zero", "hidden scores are 0, not −∞", "", "future"}, mask_with_zero},
      {{"attn/mask-not-applied", "the mask is made and lost", "Qwen#933, xformers#103", "future"}, mask_not_applied},
      {{"attn/merge-without-transpose", "[B, H, T, d] reshaped to [B, T, H·d]", "jsbaan/transformer-from-scratch PR6", "future"},
       merge_without_transpose},
      {{"attn/split-without-transpose", "[B, T, H·d] viewed as [B, H, T, d]", "FuxiCTR#30, hyunwoongko/transformer#15", "values"},
       split_without_transpose},
      {{"attn/mask-on-queries", "the padding mask hides queries, not keys", "hyunwoongko/transformer PR40, bentrevett/pytorch-seq2seq#96",
        "padded"},
       mask_on_queries},
      {{"attn/kv-heads-tiled", "shared heads as 0 1 0 1, not 0 0 1 1", "onnx PR7274", "grouped"}, kv_heads_tiled},
      {{"attn/no-scale", "no 1/√d", "", "values"}, no_scale},
      {{"attn/scale-by-model", "1/√d with the width of the model", "vit-pytorch#65, dfdx#171", "values"}, scale_by_model},
      {{"attn/divided-by-scale", "scores × √d, not divided by it", "perceiver-io#9", "values"}, divided_by_scale},
  };
  return all;
}

std::vector<Probe> probes_of(const PublishedAttention& attention, std::uint64_t seed) {
  Generator random(seed);
  const auto drawn = [&](int64_t heads) { return 1.5 * randn({2, 6, heads, 5}, DType::f64, random); };
  const Tensor q = drawn(4), k = drawn(4), v = drawn(4), shared_k = drawn(2), shared_v = drawn(2);
  const auto wrong_by = [&](const Tensor& keys, const Tensor& values) {
    return difference(attention.function(q, keys, values, {.causal = true}), nn::attention(q, keys, values, {.causal = true}));
  };
  const Tensor words = tensor({0, 0, 1, 1, 1, 1}, DType::i64), mask = expand(reshape(words, {1, 1, 1, 6}), {2, 1, 1, 6});
  const Tensor padding = reshape(cast(logical_not(words), DType::f64), {1, 6, 1, 1});  // two places of no meaning, and then words
  const auto said = [&](double junk) {
    const Tensor y = attention.function(q, k + junk * padding, v + junk * padding, {.causal = true, .mask = mask});
    return slice(y, 1, 2);
  };
  return {{"values", "difference from nn::attention", wrong_by(k, v)},
          {"padded", "change of the words' outputs with the padding", difference(said(0), said(1))},
          {"grouped", "difference where heads are shared", wrong_by(shared_k, shared_v)}};
}

}  // namespace gradus::examples
