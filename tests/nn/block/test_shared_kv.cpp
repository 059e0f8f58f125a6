// Layers that take keys and values of an earlier one.
#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/block/stack.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::MultiHeadAttention attention_with(bool shares, std::optional<nn::QKNormChoice> qk_norm = {}) {
  nn::MultiHeadAttention attention(
      {.d_model = 6, .heads = 2, .kv_heads = 1, .causal = true, .qk_norm = std::move(qk_norm), .shares_kv = shares});
  attention.to(DType::f64);
  return attention;
}

nn::LanguageModelOptions six_layers() {
  return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 6, .heads = 2, .kv_heads = 1, .d_ff = 12, .shared_kv_layers = 3};
}

}  // namespace

TEST_CASE("block-shared-kv: a layer attends with its own queries to an earlier layer's keys and values") {
  nn::MultiHeadAttention first = attention_with(false), second = attention_with(true);
  const Tensor x = draw({2, 4, 6}, 1), z = draw({2, 4, 6}, 2);
  nn::KeyValueCache kv;
  const Tensor y = first(x, {.kv = &kv});
  CHECK(equal(y, first(x)));
  const auto heads = [](const Tensor& t, int64_t count) { return reshape(t, {2, 4, count, 3}); };
  CHECK(equal(kv.keys, heads(first.k_proj(x), 1)));
  CHECK(equal(kv.values, heads(first.v_proj(x), 1)));
  const Tensor by_hand = nn::attention(heads(second.q_proj(z), 2), kv.keys, kv.values, {.causal = true});
  CHECK(difference(second(z, {.kv = &kv}), second.out_proj(reshape(by_hand, {2, 4, 6})), 1e-14) == "");
}

TEST_CASE("block-shared-kv: keys and values get the gradient of every layer that reads them, first and second order") {
  nn::MultiHeadAttention first = attention_with(false), second = attention_with(true), third = attention_with(true);
  const auto all = [&](const Tensors& in) {
    first.k_proj.weight.share(nn::Parameter(in[1]));
    nn::KeyValueCache kv;
    const Tensor x = in[0], y = x + first(x, {.kv = &kv}), z = y + second(y, {.kv = &kv});
    return third(z, {.kv = &kv});
  };
  const Tensors at{draw({1, 3, 6}, 1), draw({3, 6}, 2)};
  const GradcheckReport one = gradcheck(all, at), two = gradgradcheck(all, at);
  CHECK_MESSAGE(one.passed, one.text);
  CHECK_MESSAGE(two.passed, two.text);
}

TEST_CASE("block-shared-kv: such a layer has no maps to keys and values, and no norm of keys; its queries have theirs") {
  const auto paths = [](nn::MultiHeadAttention attention) {
    std::string text;
    for (const auto& [path, parameter, role] : attention.named_parameters()) text += path + " ";
    return text;
  };
  CHECK(paths(attention_with(true)) == "q_proj.weight out_proj.weight ");
  CHECK(paths(attention_with(true, "rms")) == "q_proj.weight out_proj.weight qk_norm.q_norm.gain ");
  CHECK(paths(attention_with(true, "cosine")) == "q_proj.weight out_proj.weight qk_norm.log_scale ");
  for (const char* norm : {"rms", "cosine"}) {
    nn::MultiHeadAttention first = attention_with(false, norm), second = attention_with(true, norm);
    const Tensor x = draw({2, 4, 6}, 1);
    nn::KeyValueCache kv;
    first(x, {.kv = &kv});
    second.q_proj.weight.assign(first.q_proj.weight.detach());
    second.out_proj.weight.assign(first.out_proj.weight.detach());
    CHECK(difference(second(x, {.kv = &kv}), first(x), 1e-14) == "");  // of the same stream, with the same weights
  }
  const int64_t own = nn::LanguageModel([] {
                        auto o = six_layers();
                        o.shared_kv_layers = 0;
                        return o;
                      }())
                          .parameter_count();
  CHECK(own - nn::LanguageModel(six_layers()).parameter_count() == 3 * 2 * (8 * 4));
}

TEST_CASE("block-shared-kv: the source is the last layer with its own, of the same window and position") {
  nn::LanguageModelOptions options = six_layers();
  const auto sources = [&] {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < 6; ++i) all.push_back(nn::kv_source(options, i));
    return all;
  };
  CHECK(sources() == std::vector<int64_t>{0, 1, 2, 2, 2, 2});
  options.window = {{3}, {0}};
  CHECK(sources() == std::vector<int64_t>{0, 1, 2, 1, 2, 1});
  options.rope_theta = {{5, 2}, {7}};
  options.window = 0;
  CHECK(sources() == std::vector<int64_t>{0, 1, 2, 1, 1, 2});
  options.shared_kv_layers = 5;
  CHECK(sources() == std::vector<int64_t>{0, 0, -1, 0, 0, -1});
  CHECK(nn::why_not(options) == "layer 2 is to share keys and values, but no layer that has its own has its window and position");
}

TEST_CASE("block-shared-kv: what does not fit is refused") {
  nn::LanguageModelOptions options = six_layers();
  for (const int64_t count : {-1, 6, 7}) {
    options.shared_kv_layers = count;
    CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                         fmt::format("LanguageModel: shared_kv_layers must be at least 0 and below the 6 layers, got {}", count).c_str(),
                         ValueError);
  }
  options = six_layers();
  options.value_residual = true;
  CHECK(nn::why_not(options) == "value_residual mixes into each layer's own values, and with shared_kv_layers the last layers have none");
  nn::MultiHeadAttention second = attention_with(true);
  const Tensor x = draw({2, 4, 6}, 1);
  nn::KeyValueCache none;
  const std::string missing = "it shares an earlier layer's keys and values; give them as AttentionInputs::kv";
  CHECK_THROWS_WITH_AS(second(x), doctest::Contains(missing.c_str()), GraphError);
  CHECK_THROWS_WITH_AS(second(x, {.kv = &none}), doctest::Contains(missing.c_str()), GraphError);
  CHECK_THROWS_WITH_AS(second(x, {.memory = x, .kv = &none}), doctest::Contains("has no use for a memory"), ValueError);
  nn::BlockOptions block{.attention = {.d_model = 8, .heads = 2}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {}}, sharing = block;
  sharing.attention.shares_kv = true;
  for (const int64_t source : {1, 2, -1}) {
    sharing.kv_source = source;
    CHECK_THROWS_WITH_AS(
        nn::Stack({block, sharing}),
        fmt::format("Stack: block 1 cannot share keys and values of block {}, which must be before it and have its own", source).c_str(),
        ValueError);
  }
}

TEST_CASE("block-shared-kv, attn-kv-cache: queries stand at their own places, whatever the source has read before them") {
  nn::LanguageModelOptions options = six_layers();
  options.window = {{3}, {0}};
  manual_seed(5);
  nn::LanguageModel model(options);
  model.to(DType::f64);
  for (Tensor& p : model.parameters()) p.assign((p.detach() + randn(p.shape(), DType::f64) / 2).detach());
  const Tensor ids = tensor({{1, 7, 3, 4, 0, 2, 5, 10}}, DType::i64), whole = model(ids);
  for (const int64_t piece : {1, 3, 8}) {
    nn::GenerationCache past;
    Tensors pieces;
    for (int64_t t = 0; t < 8; t += piece) pieces.push_back(model(slice(ids, 1, t, std::min<int64_t>(t + piece, 8)), past));
    CHECK(difference(cat(pieces, 1), whole, 1e-12) == "");
    CHECK(past.layers[4].keys.same_as(past.layers[2].keys));  // kept once
  }
}
