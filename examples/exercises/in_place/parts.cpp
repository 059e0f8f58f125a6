#include "examples/exercises/in_place/parts.h"

#include "core/core.h"
#include "nn/nn.h"

namespace gradus::exercises {
namespace {

Tensor turned_by_library(const Tensor& x, const Tensor& positions) {
  const double d = static_cast<double>(x.size(1));
  const Tensor angle = outer(cast(positions, DType::f64), pow(Scalar(10000), arange(0, d, 2, DType::f64) / -d));
  return reshape(nn::rope(reshape(x, {1, x.size(0), 1, x.size(1)}), cos(angle), sin(angle)), x.shape());
}

Tensor attention_of_library(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto tokens_first = [](const Tensor& x) { return permute(unsqueeze(x, 0), {0, 2, 1, 3}); };  // [1, T, H, d]
  const Tensor y = nn::attention(tokens_first(q), tokens_first(k), tokens_first(v), {.causal = true});
  return permute(y, {0, 2, 1, 3})[0];
}

Tensor split_by_library(const Tensor& x, int64_t heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

Tensor merged_by_library(const Tensor& x) { return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)}); }

Tensor block_of_library(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
  const Tensor a = x + f1(norm1(x));
  return a + f2(norm2(a));
}

// Drawn as it is without top-k, top-p and penalty.
Tensor probabilities_by_library(const Tensor& scores, const std::vector<int>&, double temperature) {
  return nn::softmax(scores / temperature);
}

}  // namespace

Parts library_parts() {
  return {
      .norm = [](const Tensor& x, const Tensor& gain) { return nn::rms_norm(x, flatten(gain), 1e-5); },
      .product = [](const Tensor& a, const Tensor& b) { return matmul(a, b); },
      .multiply = [](const Tensor& a, const Tensor& b) { return a * b; },
      .activation = [](const Tensor& x) { return nn::act::silu(x); },
      .feed_forward = {},
      .rope = turned_by_library,
      .attention = attention_of_library,
      .cached = {},
      .split_heads = split_by_library,
      .merge_heads = merged_by_library,
      .placement = block_of_library,
      .loss = [](const Tensor& scores, const Tensor& targets) { return nn::cross_entropy(scores, targets); },
      .mean = [](const Tensors& losses) { return mean(stack(losses)); },
      .descent = library_descent(),
      .next = probabilities_by_library,
  };
}

}  // namespace gradus::exercises
