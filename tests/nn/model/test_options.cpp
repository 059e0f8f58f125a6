// What single options of a model do: against a model that is told the same in another way.
#include <limits>

#include "core/tensor/random.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/softmax.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"
#include "nn/norm/rms_norm.h"
#include "nn/position/rope.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const Tensor kText = tensor({{1, 5, 2, 7, 3, 0}}, DType::i64);

nn::LanguageModelOptions of_eight_ids() { return {.vocabulary = 8, .context = 6, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12}; }

// The logits of a model whose weights are drawn from one seed, none of them 0.
Tensor logits_of(const nn::LanguageModelOptions& options) {
  manual_seed(5);
  nn::LanguageModel model(options);
  for (Tensor& p : model.parameters()) p.assign((p.detach() + 0.1).detach());
  return model(kText).detach();
}

Tensor logits_with(void (*change)(nn::LanguageModelOptions&)) {
  nn::LanguageModelOptions options = of_eight_ids();
  change(options);
  return logits_of(options);
}

}  // namespace

TEST_CASE("convention-eps-value: norm_eps is the ε of every norm of the model, final norm and qk_norm too") {
  const auto with = [](double eps) {
    return nn::NormChoice([eps](const nn::NormOptions& o) { return std::make_unique<nn::RMSNorm>(o.width, nn::RMSNormOptions{eps}); });
  };
  nn::LanguageModelOptions own = of_eight_ids();
  own.norm = with(0.5);
  own.qk_norm = nn::head_norms(with(0.5));
  const auto same = [](nn::LanguageModelOptions& o) {
    o.qk_norm = "rms";
    o.norm_eps = 0.5;
  };
  CHECK(equal(logits_with(same), logits_of(own)));
  CHECK_FALSE(equal(logits_with([](nn::LanguageModelOptions& o) { o.qk_norm = "rms"; }), logits_of(own)));
}

TEST_CASE("model-lm: an embedding_scale of 2 gives what an embedding twice as large gives") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.tie_weights = false;
  manual_seed(5);
  nn::LanguageModel plain(options);
  options.embedding_scale = 2;
  nn::LanguageModel scaled(options);
  scaled.load_state_dict(plain.state_dict());
  for (const auto& [name, parameter, role] : plain.named_parameters()) {
    if (Tensor table = parameter; name == "embedding.weight") table.assign((2 * parameter).detach());
  }
  CHECK(equal(scaled(kText).detach(), plain(kText).detach()));
}

TEST_CASE("convention-one-plus-gain: with one_plus_gain the gains of the model start at 0, and it starts as without") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.qk_norm = "rms";
  manual_seed(5);
  nn::LanguageModel plain(options);
  options.one_plus_gain = true;
  manual_seed(5);
  nn::LanguageModel model(options);
  for (const auto& [name, tensor, role] : model.named_parameters()) {
    if (role == Role::gain) CHECK_MESSAGE(equal(tensor.detach(), zeros_like(tensor)), name);
  }
  CHECK(equal(model(kText).detach(), plain(kText).detach()));
}

TEST_CASE("convention-t5-unscaled: attention_scale multiplies the scores; 0 is 1/√head_dim, T5 has 1") {
  const Tensor usual = logits_with([](nn::LanguageModelOptions&) {});
  CHECK(equal(usual, logits_with([](nn::LanguageModelOptions& o) { o.attention_scale = 0.5; })));  // head_dim is 4
  CHECK(max_difference(usual, logits_with([](nn::LanguageModelOptions& o) { o.attention_scale = 1; })) > 1e-3);
}

TEST_CASE("ffn-relu, ffn-gelu: an activation takes the place of that of a feed-forward layer without a gate") {
  const auto gelu = [](nn::LanguageModelOptions& o) { o.feed_forward = "gelu"; };
  const auto told = [](nn::LanguageModelOptions& o) {
    o.feed_forward = "relu";
    o.activation = "gelu";
  };
  CHECK(equal(logits_with(gelu), logits_with(told)));
  CHECK_FALSE(equal(logits_with(gelu), logits_with([](nn::LanguageModelOptions& o) { o.feed_forward = "relu"; })));
  nn::LanguageModelOptions gated = of_eight_ids();
  gated.activation = "gelu";
  CHECK_THROWS_WITH_AS(nn::LanguageModel{gated},
                       "LanguageModel: feed_forward 'swiglu' has a gate, whose activation is its own; take feed_forward 'relu' "
                       "with activation 'gelu'",
                       ValueError);
}

TEST_CASE("ffn-swiglu-beta: swish_beta is the β of swiglu's gate, and where swiglu-beta's starts; other layers refuse it") {
  const auto with = [](const char* row, double beta) {
    nn::LanguageModelOptions options = of_eight_ids();
    options.feed_forward = row;
    options.swish_beta = beta;
    return logits_of(options);
  };
  CHECK(equal(with("swiglu", 1), logits_of(of_eight_ids())));
  CHECK(max_difference(with("swiglu", 3), with("swiglu", 1)) > 1e-5);
  CHECK(difference(with("swiglu-beta", 3), with("swiglu", 3.1), 1e-5) == "");  // logits_of adds 0.1 to every parameter
  nn::LanguageModelOptions options = of_eight_ids();
  options.feed_forward = "geglu";
  options.swish_beta = 2;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: feed_forward 'geglu' has no swish_beta; take 'swiglu' or 'swiglu-beta'",
                       ValueError);
}

TEST_CASE("ffn-moe: options of experts that no layer would read are refused, and biases of a hash") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.experts.count = 4;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                       doctest::Contains("has no experts, and there are options of theirs; take feed_forward 'moe'"), ValueError);
  options.feed_forward = {{"moe"}, {"swiglu"}};
  CHECK_NOTHROW(nn::LanguageModel{options});
  options.experts = {.router = "hash", .balance_bias = 0.1};
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, doctest::Contains("router 'hash' leaves nothing to balance; take balance_bias 0"),
                       ValueError);
}

TEST_CASE("pos-rope, pos-rope-interpolation: rope_theta and rope_factor are the model's θ and factor; other encodings refuse them") {
  const auto own = [](double theta, double factor) {
    nn::LanguageModelOptions options = of_eight_ids();
    options.position = [=](const nn::PositionOptions& o) {
      return std::make_shared<nn::RoPE>(o, nn::RopeOptions{.theta = theta, .scaling = nn::RopeScaling::interpolation, .factor = factor});
    };
    return logits_of(options);
  };
  const auto told = [](nn::LanguageModelOptions& o) {
    o.position = "rope-interpolation";
    o.rope_theta = 3;
    o.rope_factor = 5;
  };
  CHECK(equal(logits_with(told), own(3, 5)));
  CHECK_FALSE(equal(own(3, 5), own(10000, 5)));
  CHECK_FALSE(equal(own(3, 5), own(3, 2)));
  nn::LanguageModelOptions options = of_eight_ids();
  options.rope_factor = 2;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                       "LanguageModel: position 'rope' has no rope_factor; take 'rope-interpolation', 'rope-ntk', 'rope-bands', "
                       "'yarn' or 'yarn-half'",
                       ValueError);
  options = of_eight_ids();
  options.position = "alibi";
  options.rope_theta = 2;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: position 'alibi' has no rope_theta; take 'rope'", ValueError);
}

TEST_CASE("attn-sink: a fixed sink is e^s in every softmax; a trained one starts there, as a parameter of each layer's heads") {
  const Tensor plain = logits_of(of_eight_ids());
  nn::LanguageModelOptions options = of_eight_ids();
  options.sink = -std::numeric_limits<double>::infinity();
  CHECK(difference(logits_of(options), plain, 1e-6) == "");
  options.sink = 2;
  const Tensor fixed = logits_of(options);
  CHECK(max_difference(fixed, plain) > 1e-4);
  nn::LanguageModel double_precision(options);
  double_precision.to(DType::f64);
  CHECK(double_precision(kText).dtype() == DType::f64);
  options.train_sink = true;
  nn::LanguageModel model(options);
  int sinks = 0;
  for (const NamedTensor& parameter : model.named_parameters()) {
    if (parameter.name.find("attention.sink") == std::string::npos) continue;
    ++sinks;
    CHECK(equal(parameter.tensor, full({2}, 2)));
    CHECK(parameter.role == Role::other);
  }
  CHECK(sinks == 2);
  manual_seed(5);
  nn::LanguageModel trained(options);
  for (const NamedTensor& p : trained.named_parameters()) {
    if (p.name.find("sink") == std::string::npos) Tensor(p.tensor).assign((p.tensor.detach() + 0.1).detach());
  }
  CHECK(equal(trained(kText).detach(), fixed));
  options.sink.reset();
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                       "LanguageModel: train_sink trains a sink, and there is none; set sink, from where it starts", ValueError);
}

TEST_CASE("norm-qk-cosine: the model's qk_norm may be the cosine, with a scale for each head; norm_eps is its ε") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.qk_norm = "cosine";
  const Tensor cosine = logits_of(options);
  CHECK(max_difference(cosine, logits_with([](nn::LanguageModelOptions& o) { o.qk_norm = "rms"; })) > 1e-4);
  options.qk_norm = nn::MakeQKNorm([](const nn::QKNormOptions& o) { return std::make_unique<nn::CosineQKNorm>(o.head_dim, o.heads, 0.5); });
  const Tensor own = logits_of(options);
  CHECK_FALSE(equal(own, cosine));
  options.norm_eps = 0.5;
  options.qk_norm = "cosine";
  nn::LanguageModelOptions both = of_eight_ids();
  both.norm_eps = 0.5;
  both.qk_norm =
      nn::MakeQKNorm([](const nn::QKNormOptions& o) { return std::make_unique<nn::CosineQKNorm>(o.head_dim, o.heads, o.eps.value_or(9)); });
  CHECK(equal(logits_of(options), logits_of(both)));
}

TEST_CASE("attn-multi-head: every position encoding and norm of queries and keys takes heads of another width than d_model / heads") {
  const auto check_pieces = [](const nn::LanguageModelOptions& options) {
    nn::LanguageModel model(options);
    model.to(DType::f64);
    nn::GenerationCache past;
    const Tensor first = model(slice(kText, 1, 0, 2), past), rest = model(slice(kText, 1, 2), past);
    CHECK(difference(cat({first, rest}, 1), model(kText), 1e-12) == "");
    CHECK_NOTHROW(sum(square(model(kText))).backward());
  };
  nn::LanguageModelOptions options = of_eight_ids();
  options.heads = 3;  // of 8 columns
  options.head_dim = 6;
  for (const auto& row : nn::position_encodings().variants) {
    CAPTURE(row.name);
    options.position = row.name;
    check_pieces(options);
  }
  for (const auto& row : nn::qk_norms().variants) {
    if (row.name == "batch") continue;  // mixes tokens
    CAPTURE(row.name);
    options.qk_norm = row.name;
    check_pieces(options);
  }
}

TEST_CASE("block-value-residual: an option of the model, of which one layer alone would have no use") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.value_residual = true;
  CHECK(max_difference(logits_of(options), logits_of(of_eight_ids())) > 1e-4);
  options.layers = 1;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                       "LanguageModel: value_residual mixes the first layer's values into later ones, and there is one layer; "
                       "take more layers",
                       ValueError);
}

TEST_CASE("regular-stochastic-depth: an option of the model, in training alone; its rate must be in [0, 1)") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.stochastic_depth = 0.9;
  nn::LanguageModel model(options);
  const auto differs = [&] { return max_difference(model(kText), model(kText)) > 0 || max_difference(model(kText), model(kText)) > 0; };
  CHECK(differs());
  model.eval();
  CHECK_FALSE(differs());
  options.stochastic_depth_grows = false;
  const auto text = [&] { return nn::LanguageModel(options).str(); };
  CHECK(text().find("stochastic_depth: StochasticDepth(0.45)") == std::string::npos);
  options.stochastic_depth_grows = true;
  CHECK(text().find("stochastic_depth: StochasticDepth(0.45)") != std::string::npos);
  options.stochastic_depth = 1;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: stochastic_depth must be in [0, 1), got 1", ValueError);
}

TEST_CASE("regular-stochastic-depth: refused where a norm stands behind the sublayer, and would undo the division by 1 - p") {
  nn::LanguageModelOptions options = of_eight_ids();
  options.stochastic_depth = 0.5;
  std::string refused;
  for (const auto& row : nn::placements().variants) {
    options.placement = row.name;
    if (!nn::why_not(options).empty()) refused += std::string(row.name) + " ";
  }
  CHECK(refused == "sandwich output normformer sphere ");
  options.placement = "output";
  CHECK(nn::why_not(options) ==
        "placement 'output' normalises what a sublayer gives before it is added, and would undo the 1/(1-p) of "
        "stochastic_depth; take placement 'pre'");
}

TEST_CASE("model-softcap: the logits are c tanh(z / c) of those without it, never beyond c, and alike where they are small") {
  const Tensor plain = logits_of(of_eight_ids());
  for (const double cap : {0.01, 1.0, 1e4}) {
    nn::LanguageModelOptions options = of_eight_ids();
    options.logit_softcap = cap;
    const Tensor logits = logits_of(options);
    CHECK(difference(logits, cap * tanh(plain / cap), 1e-6) == "");
    CHECK(max(abs(logits)).item() <= cap);
  }
  nn::LanguageModelOptions options = of_eight_ids();
  options.logit_softcap = 1e4;
  CHECK(difference(logits_of(options), plain, 1e-6) == "");
  options.logit_softcap = -1;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: logit_softcap must be finite and not negative, got -1", ValueError);
}
