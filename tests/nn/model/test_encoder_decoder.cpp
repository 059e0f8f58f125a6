#include "nn/model/encoder_decoder.h"

#include "core/kernels/random.h"
#include "tests/nn/block/block_fixture.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::EncoderDecoderOptions tiny(const std::string& placement = "pre", const std::string& position = "none") {
  return {.source_vocabulary = 7,
          .target_vocabulary = 7,
          .encoder_layers = 1,
          .decoder_layers = 2,
          .stacks = {.d_model = 4, .heads = 2, .d_ff = 5, .context = 6, .placement = placement, .position = position}};
}


}  // namespace

TEST_CASE("model-encoder, model-decoder: with final norms, padding and a tied head they equal PyTorch's Transformer") {
  nn::EncoderDecoder model(tiny());
  CHECK(against_block_fixture("encoder_decoder", model, [&](const BlockInputsOf& input) {
          return model.forward(input("source"), input("target"), input("mask"));
        }) == "");
}

TEST_CASE("model-decoder: a block has three norms and two attentions") {
  nn::EncoderDecoder model(tiny());
  const std::string tree = model.str();
  CHECK(tree.find("cross_attention: MultiHeadAttention") != std::string::npos);
  int norms = 0;
  for (const auto& [path, parameter] : model.named_parameters()) {
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
    for (Tensor& parameter : model.parameters()) parameter.assign(parameter + 0.3 * randn(parameter.shape()));
    const auto first_two = [&](const Tensor& logits) { return slice(logits, 1, 0, 2); };
    const Tensor logits = model.forward(ids, target);
    CHECK(logits.shape() == Shape{2, 3, 7});
    CHECK(equal(first_two(logits), first_two(model.forward(ids, other))));
    CHECK_FALSE(equal(select(logits, 1, 0), select(model.forward(other_end, target), 1, 0)));
  }
}

TEST_CASE("model-encoder: padding changes nothing, in every position encoding") {
  const Tensor ids = tensor({{1, 2, 3, 4}}, DType::i64), padded = tensor({{1, 2, 3, 4, 5, 5}}, DType::i64);
  const Tensor mask = tensor({{1, 1, 1, 1, 0, 0}}, DType::i64), target = tensor({{1, 2, 3}}, DType::i64);
  for (const auto& position : nn::positions().variants) {
    if (position.name == "xpos" || position.name == "cope") continue;  // for causal attention only
    CAPTURE(position.name);
    nn::EncoderDecoderOptions options = tiny("pre", std::string(position.name));
    options.stacks.d_model = 8;
    manual_seed(3);
    nn::EncoderDecoder model(options);
    model.to(DType::f64);
    CHECK(difference(model.forward(padded, target, mask), model.forward(ids, target), 1e-14) == "");
  }
}

TEST_CASE("EncoderDecoder: errors") {
  nn::EncoderDecoder model(tiny());
  const Tensor ids = tensor({{1, 2}}, DType::i64);
  CHECK_THROWS_WITH_AS(model.forward(zeros({1, 7}, DType::i64), ids), "EncoderDecoder: 7 ids, but the context is 6", ValueError);
  CHECK_THROWS_WITH_AS(model.forward(ids, zeros({2, 2}, DType::i64)),
                       "EncoderDecoder: expected ids [B, S] and [B, T], got [1, 2] and [2, 2]", ShapeError);
  CHECK_THROWS_WITH_AS(model.forward(ids, tensor({{7}}, DType::i64)), "index_select: id 7 is out of range; expected 0 … 6",
                       ValueError);
  CHECK_THROWS_WITH_AS(model.forward(ids, ids, zeros({1, 3}, DType::i64)),
                       "EncoderDecoder: the source mask needs the source's shape [1, 2], got [1, 3]", ShapeError);
  nn::EncoderDecoderOptions three_heads = tiny();
  three_heads.stacks.heads = 3;
  CHECK_THROWS_WITH_AS(nn::EncoderDecoder{three_heads}, "Transformer: 3 heads do not divide d_model 4", ValueError);
}
