// ch09_encoder_decoder: one network reads, another writes, and cross-attention is the wire between: it learns to reverse.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/core.h"
#include "examples/ch09_encoder_decoder/call_by_call.h"
#include "examples/ch09_encoder_decoder/reverser.h"
#include "examples/ch09_encoder_decoder/wire_map.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "examples/shared/training/causality.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// The first Transformer, small: one block to read and one to write, sinusoidal positions, layer norm after each sublayer.
nn::EncoderDecoder new_model() {
  nn::TransformerOptions sizes = nn::original_transformer();
  sizes.vocabulary = kLetters + 1;
  sizes.context = kLongest + 1;
  sizes.d_model = 64;
  sizes.layers = 1;
  return nn::EncoderDecoder({.stacks = sizes});
}

// --- four numbers by hand ------------------------------------------------------------------------------------------

// Three letters of value 10, 20, 30; the query of place t fits the key of letter 4 - t by ln 8, and the others by 0.
void by_hand(Chapter& chapter) {
  const Tensor keys = reshape(eye(3, 3, DType::f64), {1, 3, 1, 3}), queries = flip(keys, {1}) * std::log(8);
  const Tensor values = reshape(tensor({10, 20, 30}, DType::f64), {1, 3, 1, 1}) * ones({1, 1, 1, 3}, DType::f64);
  const Tensor p = nn::attention_probabilities(queries, keys, {.scale = 1}), y = nn::attention(queries, keys, values, {.scale = 1});
  std::vector<double> outputs;
  for (int64_t t = 0; t < 3; ++t) outputs.push_back(y.at({0, t, 0, 0}));
  chapter.number("hand.y", outputs);
  chapter.series("hand.weights", rows_of(p[0][0]));
  encoder_decoder_tape();  // seeds the generator anew: the book's numbers of what follows were drawn after it
}

// --- the experiment: how much of it is understood? ----------------------------------------------------------------

struct Models { nn::EncoderDecoder one_length, many_lengths, cut; };

void train(Chapter& chapter, Models& models) {
  const int64_t more = chapter.full() ? 3 : 1;
  chapter.tell(
      fmt::format("Two networks: one reads eight letters, the other writes them in reverse.\nTrained three times: as it is, "
                  "with the wire "
                  "between them cut, and on\nsequences of one to eight letters …"));
  const std::vector<double> with = teach(models.one_length, {.steps = 400 * more});
  const std::vector<double> without = teach(models.cut, {.steps = 200 * more, .connected = false});
  teach(models.many_lengths, {.shortest = 1, .steps = 1200 * more});
  chapter.number("training.loss", with);
  chapter.number("training.loss_cut", without);
}

std::vector<double> accuracy_by_length(Chapter& chapter, nn::EncoderDecoder& model) {
  std::vector<double> percent;
  for (int64_t length = 1; length <= kLongest; ++length) {
    percent.push_back(100 * examine(model, length, true, chapter.full() ? 1000 : 200).letters);
  }
  return percent;
}

void lengths(Chapter& chapter, Models& models, int64_t length) {
  chapter.number("lengths.trained_at_8", accuracy_by_length(chapter, models.one_length));
  chapter.number("lengths.trained_at_1_to_8", accuracy_by_length(chapter, models.many_lengths));
  const Pairs task = pairs(1, length);
  const auto written_by = [&](nn::EncoderDecoder& model) { return in_letters(write_down(model, task.source)); };
  chapter.series("lengths.sequences", chapter.full() ? 1000 : 200);
  chapter.series("lengths.given", in_letters(task.source));
  chapter.series("lengths.right", in_letters(task.letters));
  chapter.series("lengths.written", std::vector{written_by(models.one_length), written_by(models.many_lengths)});
  for (const int64_t n : {5, 8, 11}) {
    const Pairs other = pairs(1, n);
    keep_map(chapter, fmt::format("lengths.maps.{}", n), mean(cross_weights(models.many_lengths, other), 0), other);
  }
}

// --- claims ---------------------------------------------------------------------------------------------------------

void wire_needed(Chapter& chapter, const Score& with, const Score& without, int64_t count) {
  const double chance = 1.0 / kLetters, error = std::sqrt(chance * (1 - chance) / static_cast<double>(count * kTrained));
  const bool needed = with.letters > 0.99 && std::abs(without.letters - chance) < 3 * error;
  const Verdict verdict = needed ? Verdict::confirmed : Verdict::refuted;
  chapter.sentence(
      "wire-needed", "Without cross-attention the decoder cannot know what the encoder read.", verdict,
      fmt::format("With the wire {:.1f} % of {} held-out letters, without {:.1f} %; chance is {:.2f} ± {:.2f} %. Rule: seen here "
                  "if above 99 % with it and within three standard errors of chance without.",
                  100 * with.letters, count * kTrained, 100 * without.letters, 100 * chance, 100 * error));
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t length = 12;
  const ChapterText text{"09", "Encoder and decoder", "One network reads, another writes. Cross-attention is the wire between them.",
                         encoder_decoder_tape};
  const std::vector<Knob> knobs{
      {.flag = "--length", .value = &length, .help = "letters of the sequence to try; trained at 8", .least = 1, .most = kLongest}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    Models models{new_model(), new_model(), new_model()};
    train(chapter, models);
    const int64_t count = chapter.full() ? 2000 : 500;
    const Score with = examine(models.one_length, kTrained, true, count), without = examine(models.cut, kTrained, false, count);
    const double chance = 1.0 / kLetters;
    chapter.number("held_out.letters", with.letters);
    chapter.number("held_out.sequences", with.sequences);
    chapter.number("held_out.cut", without.letters);
    chapter.number("held_out.chance", chance);
    const std::string number = fmt::format("{:.1f} % against {:.1f} %", 100 * with.letters, 100 * without.letters);
    chapter.ask({"Trained to reverse eight letters, it is right in all of them.\nHow well does it reverse seven?",
                 {"as well: seven is easier than eight", "a little worse", "badly: most letters are wrong"},
                 2,
                 "It learned which place\nto look at for each place it writes; with seven letters all places move."});
    const Pairs task = pairs(1, kTrained);
    chapter.tell(fmt::format("  given {}  written {}  right {}", in_letters(task.source),
                             in_letters(write_down(models.one_length, task.source)), in_letters(task.letters)));
    anti_diagonal(chapter, models.one_length);
    by_hand(chapter);
    lengths(chapter, models, length);
    wire_needed(chapter, with, without, count);
    call_by_call(chapter);
    chapter.finish(number + " of held-out letters: with the wire, and with it cut");
  });
}
