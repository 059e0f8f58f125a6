// The three dropouts of the language model: where each acts, in training only.
#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "tests/nn/model/small.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Options = nn::LanguageModelOptions;

// Its matrices are not near 0, so that a sublayer is heard.
nn::LanguageModel model_of(const Options& options) {
  manual_seed(5);
  nn::LanguageModel model(options);
  for (Tensor& p : model.parameters()) p.assign(randn(p.shape()) / 2);
  return model;
}

}  // namespace

TEST_CASE("regular-dropout: each of the model's three is noise in training, and the model without it in eval") {
  nn::LanguageModel plain = model_of(small());
  for (const auto& set : {+[](Options& o) { o.dropout = 0.5; }, +[](Options& o) { o.embedding_dropout = 0.5; },
                          +[](Options& o) { o.attention_dropout = 0.5; }}) {
    Options options = small();
    set(options);
    nn::LanguageModel model = model_of(options);
    CHECK(max_difference(model(two_texts()), model(two_texts())) > 0.01);
    CHECK(max_difference(model(two_texts()), plain(two_texts())) > 0.01);
    model.eval();
    CHECK(equal(model(two_texts()), plain(two_texts())));
    model.train();
    CHECK(max_difference(model(two_texts()), plain(two_texts())) > 0.01);
  }
}

TEST_CASE("regular-dropout: embedding_dropout drops a share p of the embedding with its positions, and divides by 1 - p") {
  Options options = small();
  options.position = "sinusoidal";
  options.vocabulary = 256;
  options.d_model = 64;
  options.context = 64;
  nn::LanguageModel plain = model_of(options);
  options.embedding_dropout = 0.25;
  nn::LanguageModel model = model_of(options);
  const Tensor some = randint(0, 256, {4, 64}), whole = plain.embed(some), dropped = model.embed(some);
  const Tensor zero = eq(dropped, 0);
  CHECK(difference(dropped, masked_fill(whole / 0.75, zero, 0), 1e-6) == "");
  CHECK(mean(cast(zero, DType::f64)).item() == doctest::Approx(0.25).epsilon(0.05));  // of 16384
}

TEST_CASE("regular-dropout: dropout acts on the result of attention and on that of the feed-forward layer, each by itself") {
  Options options = small();
  options.dropout = 0.5;
  for (const char* silent : {"out_proj.weight", "w2.weight"}) {  // so that the other sublayer alone is heard
    CAPTURE(silent);
    nn::LanguageModel model = model_of(options);
    for (const auto& [path, parameter, role] : model.named_parameters()) {
      if (path.find(silent) != std::string::npos) Tensor(parameter).fill(0);
    }
    CHECK(max_difference(model(two_texts()), model(two_texts())) > 0.01);
  }
}

// A single token has one probability, 1: dropped, its head gives nothing, else its value times 1 / (1 - p).
TEST_CASE(
    "regular-dropout: attention_dropout drops probabilities: a single token's value becomes 0 or is divided by 1 - "
    "p") {
  const auto attention_of = [](double p) {
    manual_seed(6);
    return nn::MultiHeadAttention({.d_model = 8, .heads = 2, .causal = true, .attention_dropout = p});
  };
  nn::MultiHeadAttention attention = attention_of(0.25);
  const Tensor x = randn({400, 1, 8}), values = attention.v_proj(x);
  attention.out_proj.weight.assign(eye(8));
  const Tensor y = attention(x), zero = eq(y, 0);
  CHECK(difference(y, masked_fill(values / 0.75, zero, 0), 1e-6) == "");
  const Tensor by_head = mean(cast(reshape(zero, {400, 2, 4}), DType::f64), -1);
  CHECK(sum(logical_or(eq(by_head, 0), eq(by_head, 1))).item() == 800);  // a head's four values share their probability
  CHECK(mean(by_head).item() == doctest::Approx(0.25).epsilon(0.2));
  attention.eval();
  CHECK(difference(attention(x), values, 1e-6) == "");
}
