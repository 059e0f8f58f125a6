// Scores that add up from layer to layer, beyond the values of test_block.cpp.
#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions with_residual_scores() {
  return {.vocabulary = 8, .context = 6, .d_model = 8, .layers = 3, .heads = 2, .kv_heads = 1, .residual_scores = true};
}

}  // namespace

TEST_CASE("block-residual-scores: a layer's softmax is of its scores and those below, of which it hands on the sum; the first finds none") {
  nn::MultiHeadAttention layer({.d_model = 6, .heads = 2, .causal = true, .residual_scores = true});
  layer.to(DType::f64);
  const Tensor x = draw({1, 4, 6}, 1), given = draw({1, 2, 4, 4}, 2);
  Tensor scores;
  const Tensor first = layer(x, {.scores = &scores}), own = scores;
  CHECK(difference(first, layer(x), 1e-14) == "");
  CHECK(own.shape() == Shape{1, 2, 4, 4});
  scores = given;
  const Tensor second = layer(x, {.scores = &scores});
  CHECK(difference(scores, own + given, 1e-14) == "");
  CHECK(difference(second, layer(x, {.bias = given}), 1e-14) == "");
  scores = zeros({1, 2, 4, 3}, DType::f64);
  CHECK_THROWS_AS(layer(x, {.scores = &scores}), ShapeError);
  CHECK_THROWS_WITH_AS(
      nn::MultiHeadAttention({.d_model = 6, .heads = 2, .softcap = 5, .residual_scores = true}),
      "MultiHeadAttention: residual_scores are added up before a softcap, which would bound one layer's part; take softcap 0", ValueError);
  // A layer without the option leaves what it is given alone.
  nn::MultiHeadAttention plain({.d_model = 6, .heads = 2});
  plain.to(DType::f64);
  scores = given;
  CHECK(equal(plain(x, {.scores = &scores}), plain(x)));
  CHECK(equal(scores, given));
}

TEST_CASE("block-residual-scores: generating id by id with a cache gives the scores of the whole sequence") {
  manual_seed(3);
  nn::LanguageModel model(with_residual_scores());
  model.to(DType::f64);
  const Tensor ids = tensor({{1, 5, 2, 7, 3, 0}}, DType::i64), whole = model(ids);
  nn::GenerationCache past;
  for (int64_t t = 0; t < 6; ++t) {
    CHECK(difference(model(slice(ids, 1, t, t + 1), past), slice(whole, 1, t, t + 1), 1e-12) == "");
  }
}

TEST_CASE("block-residual-scores: in a model the option changes what follows the first layer, and is refused with one layer or a softcap") {
  const Tensor ids = tensor({{1, 5, 2, 7, 3, 0}}, DType::i64);
  nn::LanguageModelOptions options = with_residual_scores();
  const auto logits = [&](bool on) {
    options.residual_scores = on;
    manual_seed(3);
    nn::LanguageModel model(options);
    return model(ids);
  };
  CHECK(max_difference(logits(true), logits(false)) > 1e-4);
  options.residual_scores = true;
  options.softcap = 5;
  CHECK(nn::why_not(options) == "residual_scores are added up before a softcap, which would bound one layer's part; take softcap 0");
  options.softcap = 0;
  options.layers = 1;
  CHECK(nn::why_not(options) == "residual_scores add the scores of the layer below, and there is one layer; take more layers");
}
