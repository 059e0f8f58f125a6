#include "core/autograd/engine.h"
#include "nn/block/stack.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::MultiHeadAttention mixing() {
  nn::MultiHeadAttention attention({.d_model = 6, .heads = 2, .kv_heads = 1, .causal = true, .value_residual = true});
  attention.to(DType::f64);
  return attention;
}

}  // namespace

TEST_CASE("block-value-residual: attention is over λ₁ v + λ₂ v₁; both start at ½, and both are learned") {
  nn::MultiHeadAttention attention = mixing();
  CHECK(to_vector(attention.value_mix) == Values{0.5, 0.5});
  attention.value_mix.assign(tensor({0.3, -2}, DType::f64));
  const Tensor x = draw({2, 4, 6}, 1);
  Tensor first = draw({2, 4, 1, 3}, 2);
  const auto heads = [](const Tensor& y, int64_t count) { return reshape(y, {2, 4, count, 3}); };
  const Tensor v = heads(attention.v_proj(x), 1);
  const Tensor by_hand = nn::attention(heads(attention.q_proj(x), 2), heads(attention.k_proj(x), 1), 0.3 * v - 2 * first, {.causal = true});
  const Tensor y = attention(x, {.first_values = &first});
  CHECK(difference(y, attention.out_proj(reshape(by_hand, {2, 4, 6})), 1e-14) == "");
  const Tensors found = grad({sum(y)}, {attention.value_mix});
  CHECK(std::abs(found[0].at({0})) > 0.01);
  CHECK(std::abs(found[0].at({1})) > 0.01);
}

TEST_CASE("block-value-residual: the layer that finds no values gives its own, and mixes nothing") {
  nn::MultiHeadAttention attention = mixing();
  const Tensor x = draw({2, 4, 6}, 1);
  Tensor first;
  const Tensor y = attention(x, {.first_values = &first});
  CHECK(equal(y, attention(x)));
  CHECK(equal(first, reshape(attention.v_proj(x), {2, 4, 1, 3})));
}

TEST_CASE("block-value-residual: in a model every layer but the first has a mix, and hears of the first one's values") {
  nn::LanguageModel model({.vocabulary = 11, .context = 8, .d_model = 8, .layers = 3, .heads = 2, .value_residual = true});
  std::string mixes;
  for (const NamedTensor& parameter : model.named_parameters()) {
    if (parameter.name.find("value_mix") == std::string::npos) continue;
    mixes += parameter.name + " ";
    CHECK(parameter.role == Role::gain);
  }
  CHECK(mixes == "blocks.1.attention.value_mix blocks.2.attention.value_mix ");
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), before = model(ids);
  // Only by its values, and only by way of the last block: its own output is kept out of the stream.
  for (const NamedTensor& parameter : model.named_parameters()) {
    if (parameter.name == "blocks.0.attention.out_proj.weight") Tensor(parameter.tensor).fill(0);
    if (parameter.name == "blocks.1.attention.value_mix") Tensor(parameter.tensor).assign(tensor({1, 0}));
  }
  const Tensor without = model(ids);
  for (const NamedTensor& parameter : model.named_parameters()) {
    if (parameter.name == "blocks.0.attention.v_proj.weight") Tensor(parameter.tensor).assign(-parameter.tensor.detach());
  }
  CHECK(max_difference(model(ids), without) > 1e-4);
  CHECK_FALSE(equal(before, without));
}

TEST_CASE("block-value-residual: generating id by id with a cache gives the scores of the whole sequence") {
  nn::LanguageModel model(
      {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 3, .heads = 2, .sink = 0.5, .train_sink = true, .value_residual = true});
  model.to(DType::f64);
  model.eval();
  const Tensor ids = tensor({{1, 7, 3, 4, 0, 2}}, DType::i64), whole = model(ids);
  nn::GenerationCache past;
  for (int64_t t = 0; t < 6; ++t) {
    const Tensor next = model(slice(ids, 1, t, t + 1), past);
    CHECK(difference(next, slice(whole, 1, t, t + 1), 1e-13) == "");
  }
}

TEST_CASE("block-value-residual, attn-sink: cross-attention has the sink, and no mix of values") {
  nn::Block block({.attention = {.d_model = 8, .heads = 2, .causal = true, .sink = 1, .train_sink = true, .value_residual = true},
                   .feed_forward = {.d_model = 8, .d_ff = 12},
                   .stack = {.layers = 2, .index = 1},
                   .cross_attention = true});
  std::string names;
  for (const NamedTensor& p : block.named_parameters()) {
    if (p.name.find("sink") != std::string::npos || p.name.find("value_mix") != std::string::npos) names += p.name + " ";
  }
  CHECK(names == "attention.sink attention.value_mix cross_attention.sink ");
}
