// Models whose layers are of several kinds.
#include <functional>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/model/compatibility.h"
#include "nn/model/encoder_decoder.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Options = nn::LanguageModelOptions;

Options four_layers() { return {.vocabulary = 11, .context = 12, .d_model = 8, .layers = 4, .heads = 2, .d_ff = 12}; }

Options with(const std::function<void(Options&)>& change) {
  Options options = four_layers();
  change(options);
  return options;
}

// In f64, with weights so large that positions and windows matter.
nn::LanguageModel drawn(const Options& options) {
  manual_seed(5);
  nn::LanguageModel model(options);
  model.to(DType::f64);
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    Tensor handle = parameter;
    handle.assign((parameter.detach() + randn(parameter.shape(), DType::f64) / 2).detach());
  }
  return model;
}

const Tensor kIds = tensor({{1, 7, 3, 4, 0, 2, 10, 9, 5, 6, 8, 1}, {2, 2, 8, 1, 9, 0, 3, 3, 7, 5, 4, 6}}, DType::i64);

// An option as a plain value, as another one, and as a pattern of three layers of the one and one of the other.
struct Kinds {
  const char* name;
  std::function<void(Options&)> one, other, pattern;
};

const std::vector<Kinds> kKinds{
    {"window", [](Options& o) { o.window = 3; }, [](Options&) {}, [](Options& o) { o.window = {{3, 3}, {0}}; }},
    {"position", [](Options&) {}, [](Options& o) { o.position = "none"; }, [](Options& o) { o.position = {{"rope", 3}, {"none"}}; }},
    {"rope_theta", [](Options& o) { o.rope_theta = 4; }, [](Options& o) { o.rope_theta = 50; },
     [](Options& o) { o.rope_theta = {{4, 3}, {50}}; }},
    {"rope_factor", [](Options& o) { o.position = "rope-interpolation", o.rope_factor = 2; },
     [](Options& o) { o.position = "rope-interpolation", o.rope_factor = 9; },
     [](Options& o) { o.position = "rope-interpolation", o.rope_factor = {{2, 3}, {9}}; }},
    {"norm", [](Options&) {}, [](Options& o) { o.norm = "rms-l2"; }, [](Options& o) { o.norm = {{"rms", 3}, {"rms-l2"}}; }},
    {"feed_forward", [](Options&) {}, [](Options& o) { o.feed_forward = "geglu"; },
     [](Options& o) { o.feed_forward = {{"swiglu", 3}, {"geglu"}}; }},
    {"placement", [](Options&) {}, [](Options& o) { o.placement = "output"; }, [](Options& o) { o.placement = {{"pre", 3}, {"output"}}; }},
    {"temperature_growth", [](Options& o) { o.temperature_length = 3; },
     [](Options& o) { o.temperature_length = 3, o.temperature_growth = 0.7; },
     [](Options& o) { o.temperature_length = 3, o.temperature_growth = {{0, 3}, {0.7}}; }},
};

}  // namespace

TEST_CASE("model-layer-pattern: the model is three blocks of the one kind and one of the other, for each option") {
  for (const Kinds& kinds : kKinds) {
    CAPTURE(kinds.name);
    nn::LanguageModel one = drawn(with(kinds.one)), other = drawn(with(kinds.other)), mixed = drawn(with(kinds.pattern));
    for (nn::LanguageModel* model : {&one, &other}) model->load_state_dict(mixed.state_dict());  // throws unless the paths are the same
    nn::Stream stream{.x = one.embed(kIds)};
    for (std::size_t i = 0; i < 4; ++i) stream = (i == 3 ? other : one).stack().block(i)(stream);
    std::vector<nn::Stream> trace;
    mixed.stack()(mixed.embed(kIds), {.trace = &trace});
    CHECK(difference(trace.back().x, stream.x, 1e-13) == "");
    CHECK(max_difference(mixed(kIds), one(kIds)) > 1e-3);
    CHECK(max_difference(mixed(kIds), other(kIds)) > 1e-3);
  }
}

TEST_CASE("model-layer-pattern: a pattern of one value is that value, with the same paths; the final norm is as the last layer's") {
  for (const Kinds& kinds : kKinds) {
    CAPTURE(kinds.name);
    nn::LanguageModel plain = drawn(four_layers());
    CHECK(plain.named_parameters().size() == drawn(with(kinds.pattern)).named_parameters().size());
  }
  const Options same = with([](Options& o) { o.window = {{3}, {3}}, o.position = {{"rope"}, {"rope"}}, o.norm = {{"rms", 4}}; });
  CHECK(equal(drawn(same)(kIds), drawn(with([](Options& o) { o.window = 3; }))(kIds)));
  nn::LanguageModel last_layer_norm = drawn(with([](Options& o) { o.norm = {{"rms"}, {"layer"}}; }));
  const auto paths = [](nn::LanguageModel& model) {
    std::string text;
    for (const auto& [path, parameter, role] : model.named_parameters()) text += path + " ";
    return text;
  };
  CHECK(mentions(paths(last_layer_norm), "final_norm.gain final_norm.bias"));
  CHECK_FALSE(mentions(paths(last_layer_norm), "blocks.2.placement.norm1.bias"));
}

TEST_CASE("model-layer-pattern: a token sees as far as the windows of its layers reach together") {
  for (const auto& [pattern, reach] :
       std::vector<std::pair<PerLayer<int64_t>, int64_t>>{{1, 0}, {2, 4}, {{{2, 3}, {1}}, 3}, {{{3}, {1}}, 4}, {{{1, 3}, {0}}, 11}}) {
    nn::LanguageModel model = drawn(with([&, windows = pattern](Options& o) { o.window = windows; }));
    const Tensor before = model(kIds);
    for (int64_t t = 0; t < 11; ++t) {
      const Tensor other = where(arange(12) == t, 10 - kIds, kIds);  // another id at t alone, where it is not 5
      const double change = max_difference(slice(model(other), 1, 11), slice(before, 1, 11));
      CHECK_MESSAGE((change > 0) == (11 - t <= reach), "position ", t, " of a reach of ", reach);
    }
  }
}

TEST_CASE("model-layer-pattern, attn-kv-cache: in pieces the logits are those of the whole, and sampling is the same") {
  std::vector<Options> all;
  for (const Kinds& kinds : kKinds) all.push_back(with(kinds.pattern));
  all.push_back(with([](Options& o) { o.position = {{"t5"}, {"alibi"}, {"none"}, {"shaw"}}; }));
  all.push_back(with([](Options& o) { o.value_embedding = {{false}, {true}}, o.per_layer_width = 4; }));
  all.push_back(with([](Options& o) { o.window = {{3}, {0}}, o.rope_theta = {{4}, {50}}, o.shared_kv_layers = 2; }));
  for (const Options& options : all) {
    nn::LanguageModel model = drawn(options);
    const Tensor whole = model(kIds);
    nn::GenerationCache past;
    Tensors pieces;
    for (const auto& [first, last] : {std::pair{0, 4}, {4, 5}, {5, 6}, {6, 12}}) {
      pieces.push_back(model(slice(kIds, 1, first, last), past));
    }
    CHECK(difference(cat(pieces, 1), whole, 1e-12) == "");
    Generator generator(3);
    CHECK(nn::sample(model, {1, 2}, {.count = 20}, generator).size() == 22);  // past the context
  }
}

TEST_CASE("model-layer-pattern, pos-t5: layers of one kind of position share it under the first one's path, or have one each") {
  const auto paths = [](const Options& options) {
    nn::LanguageModel model(options);
    std::string text;
    for (const auto& [path, parameter, role] : model.named_parameters()) {
      if (path.find("position") != std::string::npos) text += path + " ";
    }
    return text;
  };
  const auto t5_and_rope = [](Options& o) { o.position = {{"rope"}, {"t5"}}; };
  CHECK(paths(with(t5_and_rope)) == "blocks.1.position.weight ");
  CHECK(paths(with([&](Options& o) { t5_and_rope(o), o.share_position = false; })) == "blocks.1.position.weight blocks.3.position.weight ");
  CHECK(paths(with([](Options& o) { o.position = {{"shaw"}, {"rope"}}; })) ==
        "blocks.0.position.key_rows blocks.0.position.value_rows blocks.2.position.key_rows blocks.2.position.value_rows ");
  CHECK(paths(with([](Options& o) { o.position = "t5"; })) == "position.weight ");
  const auto own = [](const nn::PositionOptions& o) { return nn::position_encodings().find("t5").value(o); };
  CHECK(paths(with([&](Options& o) { o.position = {{nn::PositionChoice(own)}, {"none"}}; })) == "blocks.0.position.weight ");
}

TEST_CASE("model-layer-pattern: what makes no sense is refused, with the reason") {
  const auto refused = [](const std::function<void(Options&)>& change) {
    const std::string reason = nn::why_not(with(change));
    CHECK_THROWS_WITH_AS(nn::LanguageModel{with(change)}, ("LanguageModel: " + reason).c_str(), ValueError);
    return reason;
  };
  CHECK(refused([](Options& o) { o.window = {{512, 5}, {0}}; }) ==
        "the pattern of window is of 6 layers, but the model has 4; give it more layers, or a shorter pattern");
  CHECK(mentions(refused([](Options& o) { o.position = {{"rope", 4}, {"none"}}; }), "the pattern of position is of 5 layers"));
  for (const char* more : {"hyper-connections", "hyper-connections-static", "resi-dual"}) {
    CHECK(refused([&](Options& o) { o.placement = {{"pre"}, {more}}; }) ==
          fmt::format("placement '{}' hands more than one stream to the next layer, so that all layers must have it", more));
    CHECK(nn::why_not(with([&](Options& o) { o.placement = more; })) == "");
  }
  CHECK(mentions(refused([](Options& o) { o.norm = {{"rms", 3}, {"batch"}}; }), "norm 'batch' mixes tokens"));
  CHECK(mentions(refused([](Options& o) { o.norm = {{"rms", 3}, {"dyt"}}, o.norm_eps = 0.1; }), "norm 'dyt' has no eps"));
  CHECK(mentions(refused([](Options& o) { o.position = {{"none", 3}, {"alibi"}}, o.rope_theta = {{2}, {std::nullopt}}; }),
                 "has no rope_theta"));
  CHECK(nn::why_not(with([](Options& o) { o.position = {{"none", 3}, {"rope"}}, o.rope_theta = 2; })) == "");
  CHECK(mentions(refused([](Options& o) { o.placement = {{"pre"}, {"output"}}, o.stochastic_depth = 0.1; }), "placement 'output'"));
  CHECK_THROWS_WITH_AS(nn::LanguageModel(with([](Options& o) { o.position = {{"rope"}, {"learned"}}; })),
                       "position 'learned' acts on the embedding, before all layers; it cannot be that of some of them", ValueError);
  CHECK_THROWS_WITH_AS(nn::LanguageModel(with([](Options& o) { o.feed_forward = {{"swiglu"}, {"relu"}}, o.d_ff = 0; })),
                       "feed_forward 'swiglu' and 'relu': with a gate and without, the usual widths differ; set d_ff", ValueError);
  CHECK_NOTHROW(nn::LanguageModel(with([](Options& o) { o.feed_forward = {{"swiglu"}, {"relu"}}; })));
}

TEST_CASE("model-layer-pattern: a placement says whether more than x flows from block to block") {
  for (const auto& row : nn::placements().variants) {
    nn::LanguageModel model(with([&](Options& o) { o.placement = row.name; }));
    std::vector<nn::Stream> trace;
    model.stack()(model.embed(kIds), {.trace = &trace});
    CHECK_MESSAGE(trace[1].second.defined() == model.stack().block(0).placement().keeps_more(), row.name);
  }
}

TEST_CASE("model-layer-pattern, model-encoder, model-decoder: patterns are those of both stacks") {
  nn::EncoderDecoderOptions options;
  options.encoder_layers = 3;
  options.stacks = four_layers();
  options.stacks.window = {{2}, {0}};
  const std::string text = nn::EncoderDecoder(options).str();
  CHECK(mentions(text, "window 2"));
  options.stacks.window = {{2, 3}, {0}};
  CHECK_THROWS_WITH_AS(nn::EncoderDecoder{options}, doctest::Contains("the pattern of window is of 4 layers, but the model has 3"),
                       ValueError);
}
