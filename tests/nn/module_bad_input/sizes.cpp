#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Each model with changed options, whose error begins with the model's name or with that of its stacks.
BadCalls models(const std::function<void(TransformerOptions&)>& change, Raises raises, const std::string& said) {
  const auto o = changed(narrow_model(), change);
  BadCalls rows{
      REFUSED(value, LanguageModel{o}, "LanguageModel: " + said),
      REFUSED(value, Encoder{o}, "Transformer: " + said),
      REFUSED(value, Decoder{o}, "Transformer: " + said),
      REFUSED(value, EncoderDecoder({.stacks = o}), "EncoderDecoder: " + said),
      REFUSED(value, checked(o, StackKind::decoder, "checked"), "checked: " + said),
  };
  for (BadCall& row : rows) row.raises = raises;
  return rows;
}

}  // namespace

BadCalls size_calls() {
  BadCalls rows;
  const std::string memory = "takes at least ";
  for (const int64_t layers : {int64_t{10'001}, int64_t{100'000}, int64_t{1} << 40}) {
    const std::string said = fmt::format("the number of layers must be at most 10000, got {}", layers);
    rows += models([=](auto& o) { o.layers = layers; }, Raises::value, said);
    const auto o = changed(narrow_block(), [=](auto& block) { block.stack.layers = layers; });
    rows += {REFUSED(value, Stack{o}, "Stack: " + said),
             REFUSED(value, Block{o}, "Block: " + said),
             REFUSED(value, deep_norm_scale({.layers = layers}), "deep_norm_scale: " + said)};
  }
  rows += models([](auto& o) { o.layers = 0; }, Raises::value, "layers must be positive, got 0");
  rows += models([](auto& o) { o.layers = INT64_MAX; }, Raises::value, "layers must be at most 2⁴⁰");
  rows += models([](auto& o) { o.d_model = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models([](auto& o) { o.d_model = int64_t{1} << 62; }, Raises::value, "d_model must be at most 2⁴⁰");
  rows += models([](auto& o) { o.d_ff = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models([](auto& o) { o.d_ff = int64_t{1} << 62; }, Raises::memory, memory);
  rows += models([](auto& o) { o.context = int64_t{1} << 40; }, Raises::memory, memory);
  rows += models([](auto& o) { o.layers = 10'000, o.d_model = 1 << 14; }, Raises::memory, memory);
  rows += models([](auto& o) { o.embedding_scale = kNaN; }, Raises::value, "embedding_scale must be finite, got nan");
  const auto of_vocabulary = [](int64_t ids) { return changed(narrow_model(), [=](auto& o) { o.vocabulary = ids; }); };
  rows += {
      REFUSED(memory, LanguageModel{of_vocabulary(int64_t{1} << 40)}, "LanguageModel: takes at least 3.52e+04 GB"),  // 2⁴⁰ · 8 · 4 bytes
      REFUSED(memory, EncoderDecoder({.stacks = of_vocabulary(int64_t{1} << 40)}), "EncoderDecoder: takes at least 7.04e+04 GB"),
      REFUSED(memory, EncoderDecoder({.source_vocabulary = int64_t{1} << 40, .stacks = narrow_model()}),
              "EncoderDecoder: takes at least 3.52e+04 GB"),
      REFUSED(value, EncoderDecoder({.source_vocabulary = int64_t{1} << 50, .stacks = narrow_model()}),
              "EncoderDecoder: source_vocabulary must be at most 2⁴⁰"),
      REFUSED(value, EncoderDecoder({.encoder_layers = 1'000'000, .stacks = narrow_model()}),
              "EncoderDecoder: the number of layers must be at most 10000, got 1000000"),
      REFUSED(value, Encoder(narrow_model(), 1'000'000), "the number of paired layers must be at most 10000, got 1000000"),
      REFUSED(memory, Stack{changed(narrow_block(), [](auto& o) { o.attention.d_model = o.feed_forward.d_model = 1 << 30; })},
              "Stack: takes at least "),
      REFUSED(memory, Block{changed(narrow_block(), [](auto& o) { o.feed_forward.d_ff = int64_t{1} << 40; })}, "Block: takes at least "),
      REFUSED(value, make_position(changed(narrow_model(), [](auto& o) { o.heads = 0; }), StackKind::decoder),
              "make_position: 0 heads do not divide d_model 8"),
  };
  return rows;
}

}  // namespace gradus::test
