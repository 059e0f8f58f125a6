// What can be said of the language model without another one beside it.
#include <algorithm>
#include <cmath>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/model/small.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor targets() { return tensor({{2, 10, 2, 7, 7}, {4, 4, 3, 9, 1}}, DType::i64); }

nn::LanguageModel seeded(std::uint64_t seed, const nn::LanguageModelOptions& options) {
  manual_seed(seed);
  return nn::LanguageModel(options);
}

// The loss and, flat, the gradients of all parameters.
Tensors loss_and_gradients(nn::LanguageModel& model, const Tensor& in, const Tensor& wanted) {
  model.zero_grad();
  const Tensor loss = nn::cross_entropy(model(in), wanted);
  loss.backward();
  Tensors result{loss.detach()};
  for (const Tensor& parameter : model.parameters()) result.push_back(parameter.grad());
  return result;
}

bool all_equal(const Tensors& a, const Tensors& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("model-lm: the parameters of the default model, counted by hand") {
  constexpr int64_t vocabulary = 256, d = 128, layers = 4, d_ff = 384;
  constexpr int64_t block = 4 * d * d + 3 * d * d_ff + 2 * d;  // attention, SwiGLU, two norms
  CHECK(nn::LanguageModel({}).parameter_count() == vocabulary * d + layers * block + d);
  CHECK(nn::LanguageModel({.tie_weights = false}).parameter_count() == 2 * vocabulary * d + layers * block + d);
}

TEST_CASE("ffn-width: unless told, the feed-forward layer has its usual width: 4 d_model, 8/3 of it with a gate") {
  const auto width = [](const std::string& feed_forward, int64_t d_ff) {
    return nn::LanguageModel({.layers = 1, .d_ff = d_ff, .feed_forward = feed_forward}).options().d_ff;
  };
  CHECK(width("swiglu", 0) == 384);
  CHECK(width("relu", 0) == 512);
  CHECK(width("relu", 100) == 100);
}

TEST_CASE("model-lm: with biases, d_model or d_ff more for each linear map in the blocks, all starting at 0, and no other start") {
  nn::LanguageModelOptions options = small();
  nn::LanguageModel without = seeded(7, options);
  options.bias = true;
  nn::LanguageModel with = seeded(7, options);
  CHECK(with.parameter_count() - without.parameter_count() == 2 * (5 * 8 + 2 * 12));  // q, k, v, out, w2; w1, w3
  const nn::NamedTensors plain = without.named_parameters();
  std::size_t next = 0;
  for (const auto& [path, parameter, role] : with.named_parameters()) {
    CAPTURE(path);
    if (path.find(".bias") != std::string::npos) {
      CHECK(equal(parameter, zeros(parameter.shape())));
    } else {
      CHECK(path == plain[next].name);
      CHECK(equal(parameter, plain[next++].tensor));
    }
  }
  CHECK(next == plain.size());
  options.feed_forward = "relu";
  options.bias = false;
  for (const auto& [path, parameter, role] : nn::LanguageModel(options).named_parameters()) {
    CHECK(path.find(".bias") == std::string::npos);
  }
}

TEST_CASE("pos-sinusoidal: the embedding is multiplied by √d_model, so that the waves do not drown it") {
  nn::LanguageModelOptions options = small();
  const auto embedded = [&](const std::string& position, double scale) {
    options.position = position;
    options.embedding_scale = scale;
    return seeded(3, options).embed(two_texts());
  };
  const Tensor rows = embedded("none", 1), waves = embedded("sinusoidal", 1) - rows;
  CHECK(equal(embedded("none", 0), rows));
  CHECK(difference(embedded("sinusoidal", 0), rows * std::sqrt(8.0) + waves, 1e-6) == "");
  CHECK(difference(embedded("sinusoidal", 5), rows * 5 + waves, 1e-6) == "");
  CHECK(difference(embedded("none", 5), rows * 5, 1e-6) == "");
}

TEST_CASE("model-lm: ids [B, T] to logits [B, T, V], for any T up to the context") {
  nn::LanguageModel model(small());
  for (const int64_t length : {1, 5, 8}) CHECK(model(zeros({3, length}, DType::i64)).shape() == Shape{3, length, 11});
}

TEST_CASE("model-lm: a token changes no logits before it") {
  nn::LanguageModel model(small());
  const Tensor before = model(two_texts()), after = model(tensor({{1, 2, 10, 3, 7}, {0, 4, 4, 3, 9}}, DType::i64));
  CHECK(difference(slice(after, 1, 0, 3), slice(before, 1, 0, 3), 1e-6) == "");
  CHECK(max_difference(slice(after, 1, 3), slice(before, 1, 3)) > 1e-3);
  CHECK(difference(select(after, 0, 1), select(before, 0, 1), 1e-6) == "");  // nor those of another sample
}

TEST_CASE("attn-gqa, attn-sliding-window, attn-softcap, norm-qk: attention's options reach every layer of the model") {
  nn::LanguageModelOptions options = small();
  options.layers = 1;
  const Tensor in = zeros({1, 6}, DType::i64), other = tensor({{5, 0, 0, 0, 0, 0}}, DType::i64);

  nn::LanguageModel shared = seeded(3, [&] {
    auto o = options;
    o.kv_heads = 1;
    return o;
  }());
  nn::NamedTensors state = shared.state_dict();
  const auto k_proj =
      std::find_if(state.begin(), state.end(), [](const auto& entry) { return entry.name == "blocks.0.attention.k_proj.weight"; });
  REQUIRE(k_proj != state.end());
  CHECK(k_proj->tensor.shape() == Shape{4, 8});

  // Through one layer with a window of 3, the first token is seen by the two after it and by no other.
  nn::LanguageModel near = seeded(3, [&] {
    auto o = options;
    o.window = 3;
    return o;
  }());
  const Tensor change = max(abs(near(in) - near(other)), {0, 2});
  CHECK(min(slice(change, 0, 0, 3)).item() > 1e-4);
  CHECK(max(slice(change, 0, 3)).item() < 1e-6);

  for (const auto& set :
       {+[](nn::LanguageModelOptions& o) { o.softcap = 0.01; }, +[](nn::LanguageModelOptions& o) { o.qk_norm = "rms"; }}) {
    nn::LanguageModelOptions changed = options;
    set(changed);
    nn::LanguageModel plain = seeded(3, options), model = seeded(3, changed);
    CHECK(max_difference(plain(two_texts()), model(two_texts())) > 1e-7);
  }
}

TEST_CASE("model-lm: before training it guesses: the loss is about log V, and ½ more where scores have variance 1") {
  const Tensor in = randint(0, 256, {4, 64}), wanted = randint(0, 256, {4, 64});
  for (const auto& [init, tied, more] : {std::tuple{"gpt2", true, 0.0},
                                         {"gpt2", false, 0.0},
                                         {"depth-scaled", false, 0.0},
                                         {"depth-scaled", true, 0.5}}) {  // log of the mean of e^z, z ~ N(0, 1)
    CAPTURE(init);
    nn::LanguageModel model = seeded(1, {.init = init, .tie_weights = tied});
    CHECK(std::abs(nn::cross_entropy(model(in), wanted).item() - std::log(256.0) - more) < 0.12);
  }
}

TEST_CASE("model-lm: the same seed gives the same bits, another seed others") {
  for (const double dropout : {0.0, 0.2}) {
    nn::LanguageModelOptions options = small();
    options.dropout = dropout;
    const auto run = [&](std::uint64_t seed) {
      nn::LanguageModel model = seeded(seed, options);
      return loss_and_gradients(model, two_texts(), targets());
    };
    CHECK(all_equal(run(3), run(3)));
    CHECK_FALSE(equal(run(3)[0], run(4)[0]));
  }
}

TEST_CASE("model-lm: the same bits for one thread and for two") {
  nn::LanguageModel model = seeded(5, {.context = 96, .d_model = 64, .layers = 2, .d_ff = 96});
  const Tensor in = randint(0, 256, {3, 96}), wanted = randint(0, 256, {3, 96});
  const auto run = [&](int threads) {
    const Threads some(threads);
    return loss_and_gradients(model, in, wanted);
  };
  CHECK(all_equal(run(1), run(2)));
}

TEST_CASE("model-lm: f64 and f16 agree with f32") {
  nn::LanguageModel model = seeded(2, small());
  const Tensor logits = model(two_texts()).detach();
  model.to(DType::f64);
  CHECK(difference(model(two_texts()), logits, 1e-6) == "");
  model.to(DType::f16);
  const Tensors half = loss_and_gradients(model, two_texts(), targets());
  CHECK(half[0].dtype() == DType::f16);
  CHECK(difference(model(two_texts()), logits, 2e-3) == "");
}

TEST_CASE("model-lm: the starting values: N(0, 1/fan_in), smaller where they write into the stream, gains 1") {
  nn::LanguageModel model = seeded(6, {});
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    CAPTURE(path);
    if (parameter.rank() == 1) {
      CHECK(equal(parameter, ones(parameter.shape())));
      continue;
    }
    const bool writes = path.find("out_proj") != std::string::npos || path.find("w2") != std::string::npos;
    const double expected = 1 / std::sqrt(static_cast<double>(parameter.size(1)) * (writes ? 8 : 1));
    CHECK(stddev(parameter).item() / expected == doctest::Approx(1).epsilon(0.02));
  }
}

TEST_CASE("model-lm: paths, and the tree of modules") {
  nn::LanguageModelOptions one_layer = small();
  one_layer.layers = 1;
  nn::LanguageModel model(one_layer);
  std::string paths;
  for (const auto& [path, tensor, role] : model.state_dict()) paths += path + "\n";
  CHECK(paths ==
        "embedding.weight\n"
        "blocks.0.placement.norm1.gain\n"
        "blocks.0.placement.norm2.gain\n"
        "blocks.0.attention.q_proj.weight\n"
        "blocks.0.attention.k_proj.weight\n"
        "blocks.0.attention.v_proj.weight\n"
        "blocks.0.attention.out_proj.weight\n"
        "blocks.0.feed_forward.w1.weight\n"
        "blocks.0.feed_forward.w2.weight\n"
        "blocks.0.feed_forward.w3.weight\n"
        "final_norm.gain\n");
  const std::string tree = model.str();
  CHECK(tree.rfind("LanguageModel(11 ids, context 8, d_model 8, tied head)\n  embedding: Embedding(11 x 8)\n", 0) == 0);
  CHECK(tree.find("\n  blocks.0: Block\n    placement: PreNorm\n      norm1: RMSNorm(8, eps 1e-05)\n") != std::string::npos);
}

TEST_CASE("model-lm: to hold no gradient, evaluation leaves nothing on the tape") {
  nn::LanguageModel model(small());
  const NoGrad off;
  CHECK_FALSE(model(two_texts()).requires_grad());
}

TEST_CASE("LanguageModel: errors") {
  const auto with = [](auto change) {
    nn::LanguageModelOptions options = small();
    change(options);
    nn::LanguageModel model(options);
  };
  using Options = nn::LanguageModelOptions;
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.layers = 0; }), "LanguageModel: layers must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.vocabulary = -5; }), "LanguageModel: vocabulary must be positive, got -5", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.heads = 3; }), "LanguageModel: 3 heads do not divide d_model 8", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.heads = 8; }), "RoPE: turns pairs, so the head width must be even, got 1", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.norm = "rsm"; }), "unknown norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.placement = "per"; }), "unknown placement 'per'; did you mean 'pre'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.position = "ripe"; }), "unknown position 'ripe'; did you mean 'rope'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.feed_forward = "swiglo"; }), "unknown feed-forward 'swiglo'; did you mean 'swiglu'?",
                       ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.d_ff = -1; }), "LanguageModel: d_ff must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.window = -1; }), "MultiHeadAttention: the window must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.kv_heads = 3; }), "MultiHeadAttention: 3 heads of keys and values do not divide 2 heads",
                       ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.qk_norm = "rsm"; }), "unknown qk-norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.dropout = 1; }), "MultiHeadAttention: dropout must be in [0, 1), got 1", ValueError);
  nn::LanguageModel model(small());
  CHECK_THROWS_WITH_AS(model(tensor({1, 2}, DType::i64)),
                       "LanguageModel(11 ids, context 8, d_model 8, tied head): expected ids [B, T], got [2]", ShapeError);
  CHECK_THROWS_WITH_AS(
      model(zeros({1, 9}, DType::i64)),
      "LanguageModel(11 ids, context 8, d_model 8, tied head): 9 ids, but the context is 8; give fewer, or build it with a larger context",
      ValueError);
  CHECK_THROWS_WITH_AS(model(tensor({{11}}, DType::i64)),
                       "LanguageModel.embedding, Embedding(11 x 8): embedding: id 11 is out of range; expected 0 … 10", ValueError);
  CHECK_THROWS_AS(model(tensor({{1.0}})), DTypeError);
}
