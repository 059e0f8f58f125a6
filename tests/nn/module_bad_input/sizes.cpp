#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

using Change = std::function<void(nn::TransformerOptions&)>;

// Each model with changed options, whose error begins with the model's name or with that of its stacks.
BadCalls models(const std::string& what, const Change& change, Raises raises, const std::string& said) {
  const auto o = changed(narrow_model(), change);
  return {
      {"LanguageModel of " + what, [=] { nn::LanguageModel{o}; }, raises, "LanguageModel: " + said},
      {"Encoder of " + what, [=] { nn::Encoder{o}; }, raises, "Transformer: " + said},
      {"Decoder of " + what, [=] { nn::Decoder{o}; }, raises, "Transformer: " + said},
      {"EncoderDecoder of " + what, [=] { nn::EncoderDecoder({.stacks = o}); }, raises, "EncoderDecoder: " + said},
      {"checked options of " + what, [=] { nn::checked(o, nn::StackKind::decoder, "checked"); }, raises, "checked: " + said},
  };
}

}  // namespace

BadCalls size_calls() {
  BadCalls rows;
  const std::string memory = "takes at least ";
  for (const int64_t layers : {int64_t{10'001}, int64_t{100'000}, int64_t{1} << 40}) {
    const std::string said = fmt::format("the number of layers must be at most 10000, got {}", layers);
    rows += models(fmt::format("{} layers", layers), [=](auto& o) { o.layers = layers; }, Raises::value, said);
    const auto o = changed(narrow_block(), [=](auto& block) { block.stack.layers = layers; });
    rows += {REFUSED(value, nn::Stack{o}, "Stack: " + said), REFUSED(value, nn::Block{o}, "Block: " + said),
             REFUSED(value, nn::deep_norm_scale({.layers = layers}), "deep_norm_scale: " + said)};
  }
  rows += models("0 layers", [](auto& o) { o.layers = 0; }, Raises::value, "layers must be positive, got 0");
  rows += models("INT64_MAX layers", [](auto& o) { o.layers = INT64_MAX; }, Raises::value, "layers must be at most 2⁴⁰");
  rows += models("d_model 2⁴⁰", [](auto& o) { o.d_model = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("d_model 2⁶²", [](auto& o) { o.d_model = int64_t{1} << 62; }, Raises::value, "d_model must be at most 2⁴⁰");
  rows += models("d_ff 2⁴⁰", [](auto& o) { o.d_ff = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("d_ff 2⁶²", [](auto& o) { o.d_ff = int64_t{1} << 62; }, Raises::memory, memory);
  rows += models("context 2⁴⁰", [](auto& o) { o.context = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("10,000 wide layers", [](auto& o) { o.layers = 10'000, o.d_model = 1 << 14; }, Raises::memory, memory);
  rows += models("an embedding_scale of NaN", [](auto& o) { o.embedding_scale = kNaN; }, Raises::value,
                 "embedding_scale must be finite, got nan");
  const auto of_vocabulary = [](int64_t ids) { return changed(narrow_model(), [=](auto& o) { o.vocabulary = ids; }); };
  rows += {
      REFUSED(memory, nn::LanguageModel{of_vocabulary(int64_t{1} << 40)}, "LanguageModel: takes at least 3.52e+04 GB"),  // 2⁴⁰ · 8 · 4 bytes
      REFUSED(memory, nn::EncoderDecoder({.stacks = of_vocabulary(int64_t{1} << 40)}),
              "EncoderDecoder: takes at least 7.04e+04 GB"),
      REFUSED(memory, nn::EncoderDecoder({.source_vocabulary = int64_t{1} << 40, .stacks = narrow_model()}),
              "EncoderDecoder: takes at least 3.52e+04 GB"),
      REFUSED(value, nn::EncoderDecoder({.source_vocabulary = int64_t{1} << 50, .stacks = narrow_model()}),
              "EncoderDecoder: source_vocabulary must be at most 2⁴⁰"),
      REFUSED(value, nn::EncoderDecoder({.encoder_layers = 1'000'000, .stacks = narrow_model()}),
              "EncoderDecoder: the number of layers must be at most 10000, got 1000000"),
      REFUSED(value, nn::Encoder(narrow_model(), 1'000'000), "the number of paired layers must be at most 10000, got 1000000"),
      REFUSED(memory, nn::Stack{changed(narrow_block(), [](auto& o) { o.attention.d_model = o.feed_forward.d_model = 1 << 30; })},
              "Stack: takes at least "),
      REFUSED(memory, nn::Block{changed(narrow_block(), [](auto& o) { o.feed_forward.d_ff = int64_t{1} << 40; })},
              "Block: takes at least "),
      REFUSED(value, nn::make_position(changed(narrow_model(), [](auto& o) { o.heads = 0; }), nn::StackKind::decoder),
              "make_position: 0 heads do not divide d_model 8"),
  };
  return rows;
}

}  // namespace gradus::test
