// inspect::severed on modules: paths and calls are the model's own; no variant of a language model leaves a parameter out.
#include "core/inspect/severed.h"

#include "nn/nn.h"
#include "tests/support/check.h"

using namespace gradus;
using inspect::ForwardLog;
using inspect::Severed;
using inspect::severed;

namespace {

// Two maps; what goes from the first to the second is cut.
struct Broken : nn::Layer {
  nn::Linear encoder{2, 3}, decoder{3, 1}, spare{3, 1};
  Tensor forward(const Tensor& x) override { return decoder(cut(encoder(x))); }
  virtual Tensor cut(const Tensor& h) { return h.detach(); }
  void members(nn::Members& m) override {
    m.child("encoder", encoder);
    m.child("decoder", decoder);
    m.child("spare", spare);
  }
};

// A layer that forgets its own gain.
struct Forgetful : nn::Layer {
  nn::Parameter gain = ones({8});
  Tensor forward(const Tensor& x) override { return x * gain.detach(); }
  void members(nn::Members& m) override { m.parameter("gain", gain); }
};

// Layers whose members() leave out a parameter, and a part.
struct Unlisted : nn::Layer {
  nn::Parameter gain = ones({8}), shift = ones({8});
  Tensor forward(const Tensor& x) override { return x * gain + shift; }
  void members(nn::Members& m) override { m.parameter("shift", shift); }
};
struct Partless : nn::Layer {
  nn::Linear first{2, 3, {.bias = false}}, second{3, 1};
  Tensor forward(const Tensor& x) override { return second(first(x)); }
  void members(nn::Members& m) override { m.child("second", second); }
};

std::string lost_by(nn::Layer& model) {
  ForwardLog log;
  const Tensor loss = sum(model(ones({1, 2})));
  std::string text;
  for (const Severed& one : severed(loss, model)) text += one.str() + "\n";
  return text;
}

std::string lost_by(const nn::LanguageModelOptions& options) {
  nn::LanguageModel model(options);
  ForwardLog log;
  const Tensor ids = tensor({{1, 2, 3, 4}, {4, 3, 2, 1}}, DType::i64);
  const Tensor loss = nn::cross_entropy(model(ids), ids);
  loss.backward();
  std::string text;
  for (const Severed& one : severed(loss, model)) text += one.str() + "\n";
  return text;
}

nn::LanguageModelOptions short_context() { return {.vocabulary = 11, .context = 4, .d_model = 8, .layers = 2, .heads = 2}; }

}  // namespace

TEST_CASE("severed: a model's parameters are named by their paths, and the cut by the module whose forward it is in") {
  Broken model;
  const std::string text = lost_by(model);
  CHECK(text.find("encoder.weight: cut by detach() at #") == 0);
  CHECK(text.find("\nencoder.bias: cut by detach() at #") != std::string::npos);
  CHECK(text.find("\nspare.weight: not reached: no op read it\nspare.bias: not reached: no op read it\n") != std::string::npos);
  CHECK(text.find("decoder") == std::string::npos);
}

TEST_CASE("severed: the cut of a module inside of another is named with its path") {
  nn::Sequential model{nn::Linear{2, 8}, Forgetful{}, nn::Linear{8, 1}};
  const std::string text = lost_by(model);
  CHECK(text.find("1.gain: cut by detach() at #") == 0);
  CHECK(text.find("[8] in 1\n") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("severed: a parameter and a part that members() forgets are told by their shapes and by the op that read them") {
  nn::Sequential model{nn::Linear{2, 8}, Unlisted{}};
  const auto text = lost_by(model);
  CHECK(text.find(" [8]: on the tape of the loss, where mul at #") != std::string::npos);
  CHECK(text.find(" [1, 8] in 1 read it, but no parameter of the model: does members() leave it out?\n") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  Partless partless;
  CHECK(lost_by(partless).find(fmt::format("#{} [3, 2]: on the tape of the loss, where matmul at #", partless.first.weight.number())) == 0);
}

TEST_CASE("severed: a parameter and a part that members() forgets are told without a log") {
  nn::Sequential model{nn::Linear{2, 8}, Unlisted{}};
  const std::vector<Severed> told = severed(sum(model(ones({1, 2}))), model);
  REQUIRE(told.size() == 1);
  CHECK(told[0].str().find(" [8]: on the tape of the loss, where mul at #") != std::string::npos);
  Partless partless;
  const std::vector<Severed> missing = severed(sum(partless(ones({1, 2}))), partless);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].name == fmt::format("#{} [3, 2]", partless.first.weight.number()));
}

TEST_CASE("severed: what another model reads and names is not told") {
  ForwardLog log;
  nn::Linear maker{2, 3}, judge{3, 1};
  CHECK(severed(sum(judge(maker(ones({1, 2})))), maker).empty());
}

TEST_CASE("severed: a parameter that was replaced by an assignment is an error that names it") {
  Broken model;
  static_cast<Tensor&>(model.encoder.weight) = ones({3, 2});
  const Tensor loss = sum(model(ones({1, 2})));
  CHECK_THROWS_WITH_AS(severed(loss, model),
                       "parameter 'weight' was replaced by an assignment to it as a Tensor&; copy values in with assign()", GraphError);
}

// Each variant of each family: what a run's first step relies on.
TEST_CASE("severed: no variant of a language model leaves a parameter without a gradient") {
  const auto check_all = [](const auto& family, const auto& set) {
    for (const auto& variant : family.variants) {
      if (variant.name == "batch") continue;  // mixes tokens: no language model takes it
      nn::LanguageModelOptions options = short_context();
      set(options, variant.name);
      CHECK_MESSAGE(lost_by(options) == "", family.name, " ", variant.name);
    }
  };
  check_all(nn::norms(), [](auto& o, const auto& name) { o.norm = name; });
  check_all(nn::qk_norms(), [](auto& o, const auto& name) { o.qk_norm = name; });
  check_all(nn::placements(), [](auto& o, const auto& name) { o.placement = name; });
  check_all(nn::position_encodings(), [](auto& o, const auto& name) { o.position = name; });
  check_all(nn::feed_forwards(), [](auto& o, const auto& name) { o.feed_forward = name; });
  check_all(nn::activations(), [](auto& o, const auto& name) { o.feed_forward = "relu", o.activation = name; });
  const auto check_one = [](const char* what, const auto& set) {
    nn::LanguageModelOptions options = short_context();
    set(options);
    CHECK_MESSAGE(lost_by(options) == "", what);
  };
  check_one("as it is", [](auto&) {});
  check_one("untied", [](auto& o) { o.tie_weights = false; });
  check_one("a trained sink", [](auto& o) { o.sink = 0, o.train_sink = true; });
  check_one("a value residual", [](auto& o) { o.value_residual = true; });
  check_one("stochastic depth", [](auto& o) { o.stochastic_depth = 0.9, o.stochastic_depth_grows = false; });
  check_one("one layer", [](auto& o) { o.layers = 1; });
  check_one("value embeddings", [](auto& o) { o.value_embedding = true; });
  check_one("per-layer embeddings", [](auto& o) { o.per_layer_width = 4; });
  check_one("shared keys and values", [](auto& o) { o.shared_kv_layers = 1, o.qk_norm = "rms"; });
}
