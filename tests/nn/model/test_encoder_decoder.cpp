#include "nn/model/encoder_decoder.h"

#include <algorithm>

#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "tests/nn/block_fixture.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::EncoderDecoderOptions tiny(const std::string& placement = "pre", const std::string& position = "none") {
  nn::EncoderDecoderOptions options{.encoder_layers = 1};
  nn::TransformerOptions& o = options.stacks;
  o.vocabulary = 7;
  o.context = 6;
  o.d_model = 4;
  o.layers = 2;
  o.heads = 2;
  o.d_ff = 5;
  o.placement = placement;
  o.position = position;
  return options;
}

}  // namespace

TEST_CASE("model-encoder, model-decoder: with final norms, padding and a tied head they equal PyTorch's Transformer") {
  nn::EncoderDecoder model(tiny());
  CHECK(against_block_fixture("encoder_decoder", model,
                              [&](const BlockInputsOf& input) { return model(input("source"), input("target"), input("mask")); }) == "");
}

TEST_CASE("model-decoder: a block has three norms and two attentions") {
  nn::EncoderDecoder model(tiny());
  const std::string tree = model.str();
  CHECK(tree.find("cross_attention: MultiHeadAttention") != std::string::npos);
  int norms = 0;
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    norms += path.find("decoder.blocks.0.placement.norm") == 0 && path.find(".gain") != std::string::npos;
  }
  CHECK(norms == 3);
}

TEST_CASE("block-deepnorm: both stacks take their constants from both depths") {
  nn::EncoderDecoder model(tiny("deepnorm"));  // N = 1, M = 2
  const std::string tree = model.str();
  CHECK(tree.find("DeepNorm(alpha 0.8459, beta 0.8331)") != std::string::npos);  // 0.81 · 2^(1/16), 0.87 · 2^(-1/16)
  CHECK(tree.find("DeepNorm(alpha 1.565, beta 0.4518)") != std::string::npos);   // 6^¼, 24^-¼
}

TEST_CASE("model-decoder: in every placement no output sees a later target, and all see the whole source") {
  const Tensor ids = tensor({{1, 2, 3, 4}, {6, 5, 0, 1}}, DType::i64);
  const Tensor target = tensor({{1, 2, 3}, {4, 5, 6}}, DType::i64), other = tensor({{1, 2, 0}, {4, 5, 0}}, DType::i64);
  const Tensor other_end = tensor({{1, 2, 3, 0}, {6, 5, 0, 0}}, DType::i64);
  for (const auto& placement : nn::placements().variants) {
    CAPTURE(placement.name);
    manual_seed(2);
    nn::EncoderDecoder model(tiny(std::string(placement.name), "sinusoidal"));
    for (Tensor& parameter : model.parameters()) parameter.assign(parameter.detach() + 0.3 * randn(parameter.shape()));
    const auto first_two = [&](const Tensor& logits) { return slice(logits, 1, 0, 2); };
    const Tensor logits = model(ids, target);
    CHECK(logits.shape() == Shape{2, 3, 7});
    CHECK(equal(first_two(logits), first_two(model(ids, other))));
    CHECK_FALSE(equal(select(logits, 1, 0), select(model(other_end, target), 1, 0)));

    // The encoder has mixed the source: its first row alone tells of the last id. So the same of rows that nothing mixed.
    nn::Decoder decoder(tiny(std::string(placement.name), "sinusoidal").stacks, 1);
    for (Tensor& parameter : decoder.parameters()) parameter.assign(parameter.detach() + 0.3 * randn(parameter.shape()));
    const Tensor x = randn({2, 3, 4}), memory = randn({2, 4, 4});
    const Tensor other_last = cat({slice(memory, 1, 0, 3), -slice(memory, 1, 3)}, 1);
    const Tensor change = max(abs(decoder(x, memory) - decoder(x, other_last)), 2);  // [2, 3]
    CHECK(min(change).item() > 1e-4);
  }
}

TEST_CASE("model-encoder: padding changes nothing, in every position encoding") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), padded = tensor({{1, 2, 3, 4, 5, 5}}, DType::i64);
  const Tensor mask = tensor({{1, 1, 1, 1, 0, 0}}, DType::i64), target = tensor({{1, 2, 3}}, DType::i64);
  for (const auto& position : nn::position_encodings().variants) {
    if (position.name == "xpos" || position.name == "cope") continue;  // for causal attention only
    CAPTURE(position.name);
    nn::EncoderDecoderOptions options = tiny("pre", std::string(position.name));
    options.stacks.d_model = 8;
    manual_seed(3);
    nn::EncoderDecoder model(options);
    model.to(DType::f64);
    CHECK(difference(model(padded, target, mask), model(ids, target), 1e-14) == "");
  }
}

TEST_CASE("model-encoder, model-decoder: dropout acts on the embedding with its positions, in training only") {
  nn::TransformerOptions options = tiny("pre", "sinusoidal").stacks;
  options.embedding_dropout = 0.5;
  nn::Encoder encoder(options);
  nn::Decoder decoder(options);
  const Tensor x = zeros({1, 6, 4});          // nothing but positions
  const auto mute = [](nn::Module& module) {  // so that the blocks add nothing
    for (Tensor& parameter : module.parameters()) {
      if (parameter.rank() == 2) parameter.fill(0);
    }
  };
  mute(encoder);
  mute(decoder);
  for (const bool training : {true, false}) {
    encoder.train(training);
    decoder.train(training);
    CHECK(equal(encoder(x), encoder(x)) != training);
    CHECK(equal(decoder(x, x), decoder(x, x)) != training);
  }
}

TEST_CASE("pos-sinusoidal: an encoder-decoder multiplies both embeddings by √d_model, as Vaswani et al. do") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), target = tensor({{1, 2, 3}}, DType::i64);
  const auto logits = [&](double scale) {
    nn::EncoderDecoderOptions options = tiny("pre", "sinusoidal");
    options.stacks.embedding_scale = scale;
    manual_seed(4);
    return nn::EncoderDecoder{options}(ids, target);
  };
  CHECK(equal(logits(0), logits(2)));  // d_model is 4
  CHECK_FALSE(equal(logits(0), logits(1)));
}

TEST_CASE("model-encoder, model-decoder: embedding_scale multiplies source and target, each by itself") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), target = tensor({{5, 6, 0}}, DType::i64);
  nn::EncoderDecoderOptions options = tiny("pre", "sinusoidal");
  options.stacks.tie_weights = false;
  options.stacks.embedding_scale = 1;
  nn::EncoderDecoder plain(options);
  options.stacks.embedding_scale = 3;
  nn::EncoderDecoder scaled(options);
  scaled.load_state_dict(plain.state_dict());
  const Tensor wanted = scaled(ids, target);
  nn::NamedTensors state = plain.state_dict();  // handles: to multiply them is to multiply the model's own
  for (const char* name : {"source_embedding.weight", "target_embedding.weight"}) {
    CHECK(max_difference(plain(ids, target), wanted) > 1e-4);  // one of the two is not enough
    for (NamedTensor& entry : state) {
      if (entry.name == name) entry.tensor.assign(3 * entry.tensor.detach());
    }
  }
  CHECK(difference(plain(ids, target), wanted, 1e-6) == "");
}

TEST_CASE("model-tying, model-decoder: a head of its own that holds the target's embedding gives what the tied one gives") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), target = tensor({{5, 6, 0}}, DType::i64);
  nn::EncoderDecoderOptions options = tiny();
  nn::EncoderDecoder tied(options);
  options.stacks.tie_weights = false;
  nn::EncoderDecoder untied(options);
  nn::NamedTensors state = tied.state_dict();
  for (const auto& [name, values, role] : tied.state_dict()) {
    if (name == "target_embedding.weight") state.emplace_back("head.weight", values);
  }
  untied.load_state_dict(state);
  CHECK(untied.parameter_count() - tied.parameter_count() == 7 * 4);
  CHECK(equal(untied(ids, target), tied(ids, target)));
}

TEST_CASE("model-tying: a head of its own starts N(0, 0.02²), of a language model and of an encoder-decoder") {
  const nn::TransformerOptions wide{
      .vocabulary = 4096, .context = 4, .d_model = 64, .layers = 1, .heads = 1, .d_ff = 4, .tie_weights = false};
  manual_seed(2);
  nn::LanguageModel one(wide);
  nn::EncoderDecoder two({.stacks = wide});
  for (nn::Module* model : {static_cast<nn::Module*>(&one), static_cast<nn::Module*>(&two)}) {
    for (const auto& [name, values, role] : model->named_parameters()) {
      if (name != "head.weight") continue;
      CHECK(values.shape() == Shape{4096, 64});
      CHECK(stddev(values).item() / 0.02 == doctest::Approx(1).epsilon(0.004));  // the spread of 2^18 draws is 0.0014
    }
  }
}

TEST_CASE("ffn-width, model-encoder: unless told, the feed-forward layer has its usual width; with a bias on every map or none") {
  const auto paths = [](bool bias) {
    nn::Encoder encoder({.d_model = 16, .layers = 1, .heads = 2, .feed_forward = "relu", .bias = bias});
    std::string text;
    for (const auto& [path, parameter, role] : encoder.named_parameters()) {
      if (path.find("norm") == std::string::npos) text += fmt::format("{} {}\n", path, parameter.shape());
    }
    return text;
  };
  CHECK(paths(false) ==
        "blocks.0.attention.q_proj.weight [16, 16]\n"
        "blocks.0.attention.k_proj.weight [16, 16]\n"
        "blocks.0.attention.v_proj.weight [16, 16]\n"
        "blocks.0.attention.out_proj.weight [16, 16]\n"
        "blocks.0.feed_forward.w1.weight [64, 16]\n"
        "blocks.0.feed_forward.w2.weight [16, 64]\n");
  CHECK(paths(true).find("blocks.0.attention.out_proj.bias [16]\n") != std::string::npos);
  CHECK(paths(true).find("blocks.0.feed_forward.w1.bias [64]\n") != std::string::npos);
}

TEST_CASE("attn-gqa, attn-sliding-window, attn-softcap, norm-qk: attention's options reach both stacks") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64);
  const auto logits = [&](auto change) {
    nn::EncoderDecoderOptions options = tiny("pre", "sinusoidal");
    change(options.stacks);
    manual_seed(5);
    nn::EncoderDecoder model(options);
    for (Tensor& parameter : model.parameters()) parameter.assign(20 * parameter.detach());  // so that scores matter
    return std::pair{model(ids, ids), model.parameter_count()};
  };
  using Options = nn::TransformerOptions;
  const auto [usual, count] = logits([](Options&) {});
  CHECK(count - logits([](Options& o) { o.kv_heads = 1; }).second == 5 * 2 * (4 * 2 + 2));  // five attentions, k and v
  for (const auto& change : {+[](Options& o) { o.window = 1; }, +[](Options& o) { o.softcap = 0.01; },
                             +[](Options& o) { o.qk_norm = "rms"; }, +[](Options& o) { o.attention_dropout = 0.5; }}) {
    CHECK(max_difference(logits(change).first, usual) > 1e-4);
  }
}

TEST_CASE("model-softcap: the scores of an encoder-decoder are capped, too") {
  nn::EncoderDecoderOptions options = tiny();
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64);
  const auto scores = [&] {
    manual_seed(5);
    return nn::EncoderDecoder(options)(ids, ids);
  };
  const Tensor plain = scores();
  options.stacks.logit_softcap = 0.1;
  CHECK(difference(scores(), 0.1 * tanh(plain / 0.1), 1e-6) == "");
}

TEST_CASE("EncoderDecoder: a size that is 0 is the other stack's") {
  nn::EncoderDecoderOptions options = tiny();
  options.encoder_layers = 0;
  const nn::NamedTensors parameters = nn::EncoderDecoder(options).named_parameters();
  CHECK(parameters[0].name == "source_embedding.weight");
  CHECK(parameters[0].tensor.shape() == Shape{7, 4});
  const auto has = [&](const std::string& path) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == path; });
  };
  CHECK(has("encoder.blocks.1.attention.q_proj.weight"));
  CHECK_FALSE(has("encoder.blocks.2.attention.q_proj.weight"));
}

TEST_CASE("EncoderDecoder: errors") {
  nn::EncoderDecoder model(tiny());
  const Tensor ids = tensor({{1, 2}}, DType::i64);
  CHECK_THROWS_WITH_AS(model(zeros({1, 7}, DType::i64), ids),
                       "EncoderDecoder: 7 ids, but the context is 6; give fewer, or build it with a larger context", ValueError);
  CHECK_THROWS_WITH_AS(model(ids, zeros({2, 2}, DType::i64)), "EncoderDecoder: expected ids [B, S] and [B, T], got [1, 2] and [2, 2]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(model(ids, tensor({{7}}, DType::i64)),
                       "EncoderDecoder.target_embedding, Embedding(7 x 4): embedding: id 7 is out of range; expected 0 … 6", ValueError);
  CHECK_THROWS_WITH_AS(model(ids, ids, zeros({1, 3}, DType::i64)),
                       "EncoderDecoder: the source mask needs the source's shape [1, 2], got [1, 3]", ShapeError);
  nn::EncoderDecoderOptions three_heads = tiny();
  three_heads.stacks.heads = 3;
  CHECK_THROWS_WITH_AS(nn::EncoderDecoder{three_heads}, "EncoderDecoder: 3 heads do not divide d_model 4", ValueError);
  nn::EncoderDecoderOptions mixing = tiny();
  mixing.stacks.norm = "batch";
  CHECK_THROWS_WITH_AS(nn::EncoderDecoder{mixing},
                       "EncoderDecoder: norm 'batch' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'",
                       ValueError);
  CHECK_NOTHROW(nn::Encoder{mixing.stacks});  // which predicts nothing
}
