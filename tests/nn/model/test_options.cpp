// What single options of a model do: against a model that is told the same in another way.
#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "nn/norm/rms_norm.h"
#include "nn/position/rope.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const Tensor ids = tensor({{1, 5, 2, 7, 3, 0}}, DType::i64);

nn::LanguageModelOptions small() {
  return {.vocabulary = 8, .context = 6, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12};
}

// Of a model whose weights are drawn from one seed, none of them 0.
Tensor logits_of(const nn::LanguageModelOptions& options) {
  manual_seed(5);
  nn::LanguageModel model(options);
  for (Tensor& p : model.parameters()) p.set_data((p.detach() + 0.1).detach());
  return model(ids).detach();
}

Tensor logits_with(void (*change)(nn::LanguageModelOptions&)) {
  nn::LanguageModelOptions options = small();
  change(options);
  return logits_of(options);
}

}  // namespace

TEST_CASE("convention-eps-value: norm_eps is the ε of every norm of the model, final norm and qk_norm too") {
  const auto with = [](double eps) {
    return nn::NormChoice([eps](const nn::NormOptions& o) { return std::make_unique<nn::RMSNorm>(o.width, nn::RMSNormOptions{eps}); });
  };
  nn::LanguageModelOptions own = small();
  own.norm = with(0.5);
  own.qk_norm = with(0.5);
  const auto same = [](nn::LanguageModelOptions& o) {
    o.qk_norm = "rms";
    o.norm_eps = 0.5;
  };
  CHECK(equal(logits_with(same), logits_of(own)));
  CHECK_FALSE(equal(logits_with([](nn::LanguageModelOptions& o) { o.qk_norm = "rms"; }), logits_of(own)));
}

TEST_CASE("convention-one-plus-gain: with one_plus_gain the gains of the model start at 0, and it starts as without") {
  manual_seed(5);
  nn::LanguageModel plain(small());
  nn::LanguageModelOptions options = small();
  options.one_plus_gain = true;
  manual_seed(5);
  nn::LanguageModel model(options);
  for (const auto& [name, tensor, role] : model.named_parameters()) {
    if (role == Role::gain) CHECK_MESSAGE(equal(tensor.detach(), zeros_like(tensor)), name);
  }
  CHECK(equal(model(ids).detach(), plain(ids).detach()));
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
  nn::LanguageModelOptions gated = small();
  gated.activation = "gelu";
  CHECK_THROWS_WITH_AS(nn::LanguageModel{gated},
                       "LanguageModel: feed_forward 'swiglu' has a gate, whose activation is its own; take feed_forward 'relu' "
                       "with activation 'gelu'",
                       ValueError);
}

TEST_CASE("pos-rope, pos-rope-interpolation: rope_theta and rope_factor are the model's θ and factor; other encodings refuse them") {
  const auto own = [](double theta, double factor) {
    nn::LanguageModelOptions options = small();
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
  nn::LanguageModelOptions options = small();
  options.rope_factor = 2;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options},
                       "LanguageModel: position 'rope' has no rope_factor; take 'rope-interpolation', 'rope-ntk', 'rope-bands' or "
                       "'yarn'", ValueError);
  options = small();
  options.position = "alibi";
  options.rope_theta = 2;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: position 'alibi' has no rope_theta; take 'rope'", ValueError);
}
