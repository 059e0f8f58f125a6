// Known models' choices against small models of transformers: logits, loss and the gradient of every parameter.
#include "nn/model/layouts.h"

#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "tests/nn/waves.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double kOfTransformers = 1e-10;  // in f64, relative to the largest element; 2e-12 was seen

nn::TransformerOptions sizes(int64_t layers) {
  return {.vocabulary = 11, .context = 16, .d_model = 8, .layers = layers, .heads = 2, .kv_heads = 1, .d_ff = 4};
}

nn::TransformerOptions with_heads_of(int64_t head_dim, nn::TransformerOptions options) {
  options.head_dim = head_dim;
  return options;
}

// "" if logits and all gradients are those of the row `name`.
std::string against_transformers(const std::string& name, const nn::TransformerOptions& options) {
  const io::SafeTensors fixture = read_fixture("layouts.safetensors");
  nn::LanguageModel model(options);
  model.to(DType::f64);
  fill_with_waves(model);
  std::string problems;
  const auto expect = [&](const std::string& what, const Tensor& actual, const Tensor& expected) {
    const std::string wrong = difference(actual, expected, kOfTransformers);
    if (!wrong.empty()) problems += fmt::format("{}: {}\n", what, wrong);
  };
  const Tensor logits = model(fixture.tensors.at("ids")), gradients = fixture.tensors.at(name + "/gradients");
  expect("logits", logits, fixture.tensors.at(name + "/logits"));
  nn::cross_entropy(logits, fixture.tensors.at("targets")).backward();
  if (gradients.numel() != model.parameter_count()) return problems + "another number of gradients";
  int64_t at = 0;
  for (const auto& [path, parameter, role] : by_name(model)) {
    expect(path, flatten(parameter.grad()), slice(gradients, 0, at, at + parameter.numel()));
    at += parameter.numel();
  }
  return problems;
}

nn::TransformerOptions with_window(nn::TransformerOptions options, const PerLayer<int64_t>& window) {
  options.window = window;  // one that these few tokens fill
  return options;
}

nn::TransformerOptions gpt_oss_as_published() {
  nn::TransformerOptions options = with_window(nn::gpt_oss(sizes(3)), {{3}, {0}});
  options.context = 131'072;  // 32 times what it was trained on
  return options;
}

// Llama 4's attention with a dense layer in place of its experts, and Gemma 4's sharing of keys and values.
nn::TransformerOptions llama4() {
  nn::TransformerOptions options = sizes(5);
  options.position = {{"rope", 3}, {"none"}};
  options.rope_theta = 500'000;
  options.temperature_growth = {{0, 3}, {0.7}};
  options.temperature_length = 3;
  return options;
}

nn::TransformerOptions gemma4_sharing() {
  nn::TransformerOptions options = with_window(nn::gemma3(sizes(6)), {{3}, {0}});
  options.rope_theta = {{10'000}, {1'000'000}};
  options.one_plus_gain = false;
  options.attention_scale = 1;
  options.shared_kv_layers = 3;
  return options;
}

nn::TransformerOptions gemma4_per_layer() {
  nn::TransformerOptions options = nn::gemma3(sizes(6));
  options.layers = 3;
  options.window = 0;
  options.rope_theta = 10'000;
  options.one_plus_gain = false;
  options.attention_scale = 1;
  options.per_layer_width = 3;
  return options;
}

}  // namespace

TEST_CASE("model-layouts: Gemma 3's, gpt-oss's, Qwen 3's and SmolLM3's choices give transformers' logits and gradients") {
  CHECK(against_transformers("gemma3", with_window(nn::gemma3(sizes(7)), {{3, 5}, {0}})) == "");
  CHECK(against_transformers("gpt-oss", gpt_oss_as_published()) == "");
  CHECK(against_transformers("qwen3", nn::qwen3(sizes(2))) == "");
  CHECK(against_transformers("smollm3", nn::smollm3(sizes(5))) == "");
}

TEST_CASE("attn-multi-head, model-layouts: heads of another width than d / H, as Gemma 3, gpt-oss and Qwen 3 have them") {
  CHECK(against_transformers("gemma3-wide", with_heads_of(6, with_window(nn::gemma3(sizes(7)), {{3, 5}, {0}}))) == "");
  CHECK(against_transformers("gpt-oss-narrow", with_heads_of(2, gpt_oss_as_published())) == "");
  CHECK(against_transformers("qwen3-wide", with_heads_of(6, nn::qwen3(sizes(2)))) == "");
}

TEST_CASE("model-softcap, model-layouts: Gemma 2's choices give transformers' logits and gradients") {
  CHECK(against_transformers("gemma2", with_window(nn::gemma2(sizes(3)), {{3}, {0}})) == "");
}

TEST_CASE("attn-temperature: layers without positions, and with a temperature, are Llama 4's") {
  CHECK(against_transformers("llama4", llama4()) == "");
}

TEST_CASE("block-shared-kv: the last layers take keys and values of the last layer of their kind, as in Gemma 4") {
  CHECK(against_transformers("gemma4-sharing", gemma4_sharing()) == "");
}

TEST_CASE("block-per-layer-embedding: a vector for each token and layer, through a gate and a norm, as in Gemma 4") {
  CHECK(against_transformers("gemma4-per-layer", gemma4_per_layer()) == "");
}

TEST_CASE("model-layouts: what real projects got wrong is seen: a wrong layer, window, base, scale or cap, and an option left out") {
  using Options = nn::TransformerOptions;
  struct Wrong {
    const char *name, *what;
    Options right;
    void (*change)(Options&);
  };
  const Options gemma3 = with_window(nn::gemma3(sizes(7)), {{3, 5}, {0}}), smollm3 = nn::smollm3(sizes(5)), oss = gpt_oss_as_published();
  const Options gemma2 = with_window(nn::gemma2(sizes(3)), {{3}, {0}});
  for (const Wrong& wrong : std::vector<Wrong>{
           {"gemma3", "the pattern from its other end", gemma3, [](Options& o) { o.window = {{0}, {3, 5}}; }},
           {"gemma3", "every layer local", gemma3, [](Options& o) { o.window = 3; }},
           {"gemma3", "one key more in the window", gemma3, [](Options& o) { o.window = {{4, 5}, {0}}; }},
           {"gemma3", "the local base in global layers", gemma3, [](Options& o) { o.rope_theta = 10'000; }},
           {"gemma3", "the global base in local layers", gemma3, [](Options& o) { o.rope_theta = 1'000'000; }},
           {"gemma3", "γ in place of 1 + γ", gemma3, [](Options& o) { o.one_plus_gain = false; }},
           {"gemma3", "the embedding not scaled", gemma3, [](Options& o) { o.embedding_scale = 1; }},
           {"gemma2", "layers counted from one", gemma2, [](Options& o) { o.window = {{0}, {3}}; }},
           {"gemma2", "no cap of the logits", gemma2, [](Options& o) { o.logit_softcap = 0; }},
           {"gpt-oss", "no window", oss, [](Options& o) { o.window = 0; }},
           {"gpt-oss", "positions not stretched", oss, [](Options& o) { o.position = "rope-half", o.rope_factor = {}; }},
           {"gpt-oss", "the ramp over turns", oss, [](Options& o) { o.position = "yarn"; }},
           {"smollm3", "rotated in every layer", smollm3, [](Options& o) { o.position = "rope-half"; }},
           {"smollm3", "rotated in one of four", smollm3, [](Options& o) { o.position = {{"none", 3}, {"rope-half"}}; }},
           {"smollm3", "the first of four not rotated", smollm3, [](Options& o) { o.position = {{"none"}, {"rope-half", 3}}; }},
           {"qwen3-wide", "the scale of heads as wide as d / H", with_heads_of(6, nn::qwen3(sizes(2))),
            [](Options& o) { o.attention_scale = 0.5; }},
           {"llama4", "another length", llama4(), [](Options& o) { o.temperature_length = 4; }},
           {"llama4", "in every layer", llama4(), [](Options& o) { o.temperature_growth = 0.7; }},
           {"gemma4-per-layer", "the embedding not scaled", gemma4_per_layer(), [](Options& o) { o.embedding_scale = 1; }},
           {"gemma4-sharing", "one window", gemma4_sharing(), [](Options& o) { o.window = 0; }},
       }) {
    Options options = wrong.right;
    wrong.change(options);
    CHECK_MESSAGE(against_transformers(wrong.name, options) != "", wrong.name, ": ", wrong.what);
  }
}

TEST_CASE("model-layouts: each takes the sizes it is given, and is a model that generates with a cache") {
  for (const auto& row : nn::layouts().variants) {
    CAPTURE(row.name);
    nn::TransformerOptions options = row.value({.vocabulary = 17, .context = 12, .d_model = 16, .layers = 7, .heads = 4, .kv_heads = 2});
    CHECK(options.vocabulary == 17);
    CHECK(options.layers == 7);
    options.window = options.window.map([](int64_t window) { return window > 0 ? int64_t{3} : 0; });
    nn::LanguageModel model(options);
    model.to(DType::f64);
    const Tensor ids = tensor({{1, 5, 2, 16, 3, 9, 0, 4, 11}}, DType::i64), whole = model(ids);
    nn::GenerationCache past;
    const Tensor first = model(slice(ids, 1, 0, 5), past), rest = model(slice(ids, 1, 5), past);
    CHECK(difference(cat({first, rest}, 1), whole, 1e-12) == "");
  }
}

TEST_CASE("model-layouts: the published patterns, layer by layer") {
  const auto layers = [](const auto& option, int64_t count) {
    std::vector<std::decay_t<decltype(option.of(0))>> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(option.of(i));
    return values;
  };
  CHECK(layers(nn::gemma3().window, 7) == std::vector<int64_t>{512, 512, 512, 512, 512, 0, 512});
  CHECK(layers(nn::gemma3().rope_theta, 7) == std::vector<std::optional<double>>{1e4, 1e4, 1e4, 1e4, 1e4, 1e6, 1e4});
  CHECK(layers(nn::gemma2().window, 3) == std::vector<int64_t>{4096, 0, 4096});
  CHECK(layers(nn::gpt_oss().window, 3) == std::vector<int64_t>{128, 0, 128});
  std::string positions;
  for (int64_t i = 0; i < 8; ++i) positions += nn::smollm3().position.of(i).name + " ";
  CHECK(positions == "rope-half rope-half rope-half none rope-half rope-half rope-half none ");
}
