#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Each model with changed options, whose error begins with the model's name or with that of its stacks.
BadCalls models(const std::function<void(TransformerOptions&)>& change, const std::string& said) {
  const auto o = changed(narrow_model(), change);
  return {
      REFUSED(value, LanguageModel{o}, "" + said),
      REFUSED(value, Encoder{o}, "" + said),
      REFUSED(value, Decoder{o}, "" + said),
      REFUSED(value, EncoderDecoder({.stacks = o}), "EncoderDecoder: " + said),
      REFUSED(value, checked(o, StackKind::decoder, "checked"), "checked: " + said),
  };
}

}  // namespace

BadCalls size_calls() {
  BadCalls rows;
  for (const int64_t layers : {int64_t{10'001}, int64_t{100'000}, int64_t{1} << 40}) {
    const std::string said = fmt::format("the number of layers must be at most 10000, got {}", layers);
    rows += models([=](auto& o) { o.layers = layers; }, said);
    const auto o = changed(narrow_block(), [=](auto& block) { block.stack.layers = layers; });
    rows += {REFUSED(value, Stack{o}, "" + said), REFUSED(value, Block{o}, "" + said),
             REFUSED(value, deep_norm_scale({.layers = layers}), "deep_norm_scale: " + said)};
  }
  rows += models([](auto& o) { o.layers = 0; }, "layers must be positive, got 0");
  rows += models([](auto& o) { o.layers = INT64_MAX; }, "layers must be at most 2⁴⁰");
  rows += models([](auto& o) { o.d_model = int64_t{1} << 62; }, "d_model must be at most 2⁴⁰");
  rows += models([](auto& o) { o.embedding_scale = kNaN; }, "embedding_scale must be finite, got nan");
  for (int64_t TransformerOptions::* size : {&TransformerOptions::d_model, &TransformerOptions::d_ff, &TransformerOptions::vocabulary}) {
    const auto o = changed(narrow_model(), [=](auto& options) { options.*size = int64_t{1} << 40; });
    rows += {REFUSED(memory, LanguageModel{o}, "no memory for "), REFUSED(memory, EncoderDecoder({.stacks = o}), "no memory for ")};
  }
  rows += {
      REFUSED(value, EncoderDecoder({.source_vocabulary = int64_t{1} << 50, .stacks = narrow_model()}),
              "EncoderDecoder: source_vocabulary must be at most 2⁴⁰"),
      REFUSED(value, EncoderDecoder({.encoder_layers = 1'000'000, .stacks = narrow_model()}),
              "EncoderDecoder: the number of layers must be at most 10000, got 1000000"),
      REFUSED(value, Encoder(narrow_model(), 1'000'000), "the number of paired layers must be at most 10000, got 1000000"),
      REFUSED(value, make_position(changed(narrow_model(), [](auto& o) { o.heads = 0; }), StackKind::decoder),
              "make_position: 0 heads do not divide d_model 8"),
  };
  return rows;
}

}  // namespace gradus::test
