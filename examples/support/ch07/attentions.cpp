#include "examples/support/ch07/attentions.h"

#include <cmath>
#include <limits>

#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

using nn::ScaledDotOptions;

Tensor heads_first(const Tensor& x) { return permute(x, {0, 2, 1, 3}); }  // [B, T, H, d] and [B, H, T, d], both ways

Tensor scores(const Tensor& q, const Tensor& k) {
  return matmul(heads_first(q), heads_first(k), {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(3)));
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

Tensor mask_after_softmax(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions&) {
  return nn::weigh_values(tril(nn::softmax(scores(q, k))), v);
}

Tensor softmax_over_queries(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions&) {
  return nn::weigh_values(transpose(nn::softmax(transpose(masked(scores(q, k))))), v);
}

Tensor mask_off_by_one(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions&) {
  return nn::weigh_values(nn::softmax(masked(scores(q, k), 1)), v);
}

Tensor mask_with_zero(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions&) {
  return nn::weigh_values(nn::softmax(tril(scores(q, k))), v);
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

Tensor no_scale(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, 1);
}

Tensor scale_by_model(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, 1 / std::sqrt(static_cast<double>(q.size(2) * q.size(3))));
}

Tensor divided_by_scale(const Tensor& q, const Tensor& k, const Tensor& v, const ScaledDotOptions& options) {
  return with_scale(q, k, v, options, std::sqrt(static_cast<double>(q.size(3))));
}

}  // namespace

const Table<WrongAttention>& wrong_attentions() {
  static const Table<WrongAttention> table{
      "bug",
      {
          {"mask-after-softmax", "", {"the mask multiplies the probabilities", "", mask_after_softmax}},
          {"softmax-over-queries", "", {"softmax over the wrong axis", "PyTorch-NLP#2, labml#146", softmax_over_queries}},
          {"mask-off-by-one", "", {"each query sees one key too many", "", mask_off_by_one}},
          {"mask-with-zero", "", {"hidden scores are 0, not −∞", "", mask_with_zero}},
          {"mask-not-applied", "", {"the mask is made and lost", "Qwen#933, xformers#103", mask_not_applied}},
          {"merge-without-transpose",
           "",
           {"[B, H, T, d] reshaped to [B, T, H·d]", "jsbaan/transformer-from-scratch#6", merge_without_transpose}},
          {"split-without-transpose",
           "",
           {"[B, T, H·d] viewed as [B, H, T, d]", "FuxiCTR#30, hyunwoongko/transformer#15", split_without_transpose}},
          {"no-scale", "", {"no 1/√d", "", no_scale}},
          {"scale-by-model", "", {"1/√d with the width of the model", "vit-pytorch#65, dfdx#171", scale_by_model}},
          {"divided-by-scale", "", {"scores × √d, not divided by it", "perceiver-io#9", divided_by_scale}},
      }};
  return table;
}

}  // namespace gradus::examples
