#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

using Change = std::function<void(nn::TransformerOptions&)>;

// Each model with changed options, whose error begins with the model's name or with that of its stacks.
BadCalls models(const std::string& what, const Change& change, Raises raises, const std::string& said) {
  const auto changed = [change] {
    nn::TransformerOptions o = narrow_model();
    change(o);
    return o;
  };
  return {
      {"LanguageModel of " + what, [=] { nn::LanguageModel{changed()}; }, raises, "LanguageModel: " + said},
      {"Encoder of " + what, [=] { nn::Encoder{changed()}; }, raises, "Transformer: " + said},
      {"Decoder of " + what, [=] { nn::Decoder{changed()}; }, raises, "Transformer: " + said},
      {"EncoderDecoder of " + what, [=] { nn::EncoderDecoder({.stacks = changed()}); }, raises, "EncoderDecoder: " + said},
      {"checked options of " + what, [=] { nn::checked("checked", changed(), nn::StackKind::decoder); }, raises,
       "checked: " + said},
  };
}

}  // namespace

BadCalls size_calls() {
  BadCalls rows;
  const std::string memory = "takes at least ";
  for (const int64_t layers : {int64_t{10'001}, int64_t{100'000}, int64_t{1} << 40}) {
    const std::string said = fmt::format("the number of layers must be at most 10000, got {}", layers);
    rows += models(fmt::format("{} layers", layers), [=](auto& o) { o.layers = layers; }, Raises::value, said);
    const auto stack = [=] {
      nn::BlockOptions o = narrow_block();
      o.stack.layers = layers;
      return o;
    };
    rows += {{fmt::format("Stack of {} layers", layers), [=] { nn::Stack{stack()}; }, Raises::value, "Stack: " + said},
             {fmt::format("Block of {} layers", layers), [=] { nn::Block{stack()}; }, Raises::value, "Block: " + said},
             {fmt::format("deep_norm_scale of {} layers", layers), [=] { nn::deep_norm_scale({.layers = layers}); },
              Raises::value, "deep_norm_scale: " + said}};
  }
  rows += models("0 layers", [](auto& o) { o.layers = 0; }, Raises::value, "layers must be positive, got 0");
  rows += models("INT64_MAX layers", [](auto& o) { o.layers = INT64_MAX; }, Raises::value, "layers must be at most 2⁴⁰");
  rows += models("d_model 2⁴⁰", [](auto& o) { o.d_model = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("d_model 2⁶²", [](auto& o) { o.d_model = int64_t{1} << 62; }, Raises::value, "d_model must be at most 2⁴⁰");
  rows += models("d_ff 2⁴⁰", [](auto& o) { o.d_ff = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("d_ff 2⁶²", [](auto& o) { o.d_ff = int64_t{1} << 62; }, Raises::memory, memory);
  rows += models("context 2⁴⁰", [](auto& o) { o.context = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models("10,000 wide layers",
                 [](auto& o) {
                   o.layers = 10'000;
                   o.d_model = 1 << 14;
                 },
                 Raises::memory, memory);
  rows += models("an embedding_scale of NaN", [](auto& o) { o.embedding_scale = kNaN; }, Raises::value,
                 "embedding_scale must be finite, got nan");
  const auto of_vocabulary = [](int64_t vocabulary) {
    nn::TransformerOptions o = narrow_model();
    o.vocabulary = vocabulary;
    return o;
  };
  rows += {
      {"LanguageModel of 2⁴⁰ ids", [=] { nn::LanguageModel{of_vocabulary(int64_t{1} << 40)}; }, Raises::memory,
       "LanguageModel: takes at least 3.52e+04 GB"},  // 2⁴⁰ · 8 · 4 bytes
      {"EncoderDecoder of 2⁴⁰ ids", [=] { nn::EncoderDecoder({.stacks = of_vocabulary(int64_t{1} << 40)}); }, Raises::memory,
       "EncoderDecoder: takes at least 7.04e+04 GB"},
      {"EncoderDecoder of 2⁴⁰ source ids",
       [] { nn::EncoderDecoder({.source_vocabulary = int64_t{1} << 40, .stacks = narrow_model()}); }, Raises::memory,
       "EncoderDecoder: takes at least 3.52e+04 GB"},
      {"EncoderDecoder of 2⁵⁰ source ids",
       [] { nn::EncoderDecoder({.source_vocabulary = int64_t{1} << 50, .stacks = narrow_model()}); }, Raises::value,
       "EncoderDecoder: source_vocabulary must be at most 2⁴⁰"},
      {"EncoderDecoder of 10⁶ encoder layers",
       [] { nn::EncoderDecoder({.encoder_layers = 1'000'000, .stacks = narrow_model()}); }, Raises::value,
       "EncoderDecoder: the number of layers must be at most 10000, got 1000000"},
      {"Encoder beside 10⁶ decoder layers", [] { nn::Encoder(narrow_model(), 1'000'000); }, Raises::value,
       "the number of paired layers must be at most 10000, got 1000000"},
      {"Stack of d_model 2³⁰",
       [] {
         nn::BlockOptions o = narrow_block();
         o.attention.d_model = o.feed_forward.d_model = 1 << 30;
         nn::Stack{o};
       },
       Raises::memory, "Stack: takes at least "},
      {"Block of d_ff 2⁴⁰",
       [] {
         nn::BlockOptions o = narrow_block();
         o.feed_forward.d_ff = int64_t{1} << 40;
         nn::Block{o};
       },
       Raises::memory, "Block: takes at least "},
      {"make_position of no heads",
       [] {
         nn::TransformerOptions o = narrow_model();
         o.heads = 0;
         nn::make_position(o, nn::StackKind::decoder);
       },
       Raises::value, "make_position: 0 heads do not divide d_model 8"},
  };
  return rows;
}

}  // namespace gradus::test
