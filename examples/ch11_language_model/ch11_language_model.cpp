// ch11_language_model: a model learns a text: what it passes on the way, temperature, tied weights, z-loss, its shape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch11_language_model/claims.h"
#include "examples/ch11_language_model/learning.h"
#include "examples/ch11_language_model/next_byte.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// --- the one number: before the first step ---------------------------------------------------------------------

// The loss of a model that has learned nothing and whose head begins N(0, std²), the mean of several seeds.
double loss_at_the_start(const Corpus& corpus, double std, std::uint64_t seed, int64_t seeds) {
  double total = 0;
  for (int64_t i = 0; i < seeds; ++i) {
    Trainer trainer(small_run(1, seed + static_cast<std::uint64_t>(i)), corpus);
    for (const auto& [name, parameter, role] : trainer.model().named_parameters()) {
      Tensor weight = parameter;
      if (name == "head.weight") nn::init_normal(weight, std);
    }
    total += trainer.validate(1) / static_cast<double>(seeds);
  }
  return total;
}

// The last norm gives vectors of length √d, so scores have the variance s² = d std². Their logZ is ln 256 + s²/2 in the
// mean, and the score of the right byte 0: nobody has told the model which one that is.
void the_start(Chapter& chapter, const Corpus& corpus, double measured) {
  const double d = static_cast<double>(small_run(1, 0).model.d_model), guess = std::log(256.0);
  for (const double std : {0.0, 0.02, 0.125, 0.25}) {
    const double s2 = d * std * std, loss = loss_at_the_start(corpus, std, chapter.seed(), 16);
    chapter.number(fmt::format("start.head.{}", std == 0 ? "zero" : fmt::format("{}", static_cast<int>(1000 * std))),
                   {s2, guess + s2 / 2, loss});
  }
  chapter.number("start.loss", measured);
}

// --- the picture: the lines that it passes ---------------------------------------------------------------------

void the_picture(Chapter& chapter, const Learned& learned, const LossCurve& blind) {
  chapter.series("validation", Band{learned.validation.steps, learned.validation.losses});
  chapter.series("blind", Band{blind.steps, blind.losses});
  chapter.series("added_count", kAddedCount);
  for (const Passed& passed : learned.passed) {
    chapter.number(fmt::format("passed.{}.step", passed.line), static_cast<double>(passed.step));
    chapter.number(fmt::format("passed.{}.loss", passed.line), passed.loss);
    chapter.word(fmt::format("passed.{}.sample", passed.line), printable(passed.sample));
    chapter.tell(fmt::format("  below {:<8} {:.2f} at step {:>3}", passed.line, passed.height, passed.step));
  }
}

void write_lines(Chapter& chapter, const Corpus& corpus, const NgramLines& lines) {
  for (const double alpha : {1.0, 0.1, 0.01}) {
    std::vector<double> row;
    for (const int n : {1, 2, 3}) row.push_back(ngram_loss(corpus.train_text(), corpus.validation_text(), n, alpha));
    chapter.number(fmt::format("ngrams.alpha_{}", static_cast<int>(100 * alpha)), row);
  }
  chapter.number("lines", {lines.guess, lines.unigram, lines.bigram, lines.trigram});
}

// A model whose positions see themselves alone knows one byte, and so is a bigram model, however long it learns: it stays
// above the least loss that any function of one byte has on this text.
LossCurve without_attention(const Corpus& corpus, int64_t steps, std::uint64_t seed) {
  TrainOptions options = small_run(steps, seed);
  options.model.window = 1;
  Trainer blind(options, corpus);
  LossCurve curve;
  for (int64_t step = 0; step <= steps; ++step) {
    if (step > 0) blind.step();
    if (step == steps || step % std::max<int64_t>(steps / 14, 1) == 0) {
      curve.add(static_cast<double>(step), blind.validate(step == steps ? 0 : 8));
    }
  }
  return curve;
}

void write_milestone(Chapter& chapter, const Corpus& corpus, const NgramLines& lines, double blind, double loss) {
  const double bound = ngram_loss(corpus.validation_text(), corpus.validation_text(), 2, 0);
  chapter.number("blind.loss", blind);
  chapter.number("blind.bound", bound);
  chapter.tell(
      fmt::format("The same model with attention cut, so that it sees one byte: {:.2f},\n"
                  "beside the bigram line, {:.2f}. With attention: {:.2f}",
                  blind, lines.bigram, loss));
}

// --- numbers by hand -------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const double unigram = ngram_loss("abac", "a", 1, 0), bigram = ngram_loss("abac", "ab", 2, 0);
  const Tensor scores = tensor({0, std::log(4.0)}, DType::f64);
  const auto second = [&](double temperature) { return distribution(scores, temperature, 0).at({1}); };
  chapter.number("hand.ngrams", {unigram, bigram});
  chapter.number("hand.temperature", {second(0.5), second(1), second(2)});
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t steps = 500;
  double temperature = 1;
  std::string prompt = "KING HENRY:\nMy ";
  const ChapterText text{"11", "A language model", "To predict the next byte is to learn a text: its letters, then what follows.",
                         language_model_tape};
  const std::vector<Knob> knobs{{.flag = "--steps", .value = &steps, .help = "of training", .least = 50, .most = 100000},
                                {.flag = "--temperature", .value = &temperature, .help = "to sample at", .least = 0, .most = 100},
                                {"--prompt", &prompt, "what the next byte is asked of"}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    check<ValueError>(!prompt.empty() && prompt.size() <= 64, "--prompt: from 1 to 64 bytes, got {}", prompt.size());
    if (chapter.full()) steps *= 3;
    const TrainOptions options = small_run(steps, chapter.seed());
    const Corpus corpus = Corpus::shakespeare(options.model.context);
    const NgramLines lines = ngram_lines(corpus);
    Trainer trainer(options, corpus);
    const double first = trainer.validate();
    chapter.ask({"A model of bytes has learned nothing yet. What is its loss, in nats?",
                 {"about 1: it is wrong every time", "ln 256 = 5.545: a guess among 256", "anything: the weights are random"},
                 1,
                 "Scores near 0 give each\nbyte the probability 1/256. Any other number says that the head begins too "
                 "large."});
    chapter.tell(fmt::format("Before the first step: {:.3f} nats per byte. A guess costs ln 256 = {:.3f}.", first, lines.guess));
    const Learned learned = learn(trainer, steps, lines);
    const LossCurve blind = without_attention(corpus, steps, chapter.seed());
    const double loss = learned.validation.losses.back();
    the_picture(chapter, learned, blind);
    write_lines(chapter, corpus, lines);
    write_milestone(chapter, corpus, lines, blind.losses.back(), loss);
    the_start(chapter, corpus, first);
    by_hand(chapter);
    sampling(chapter, trainer, temperature, prompt);
    tying(chapter);
    const int64_t one_pass = corpus.train_bytes() / (8 * 64);
    claims(chapter, corpus, std::clamp<int64_t>(steps / (chapter.full() ? 2 : 7), 10, one_pass), lines.trigram);
    chapter.number("final.loss", loss);
    chapter.number("final.parameters", static_cast<double>(trainer.parameter_count()));
    chapter.finish(
        fmt::format("{:.3f} nats at step 0 (ln 256 = 5.545), {:.2f} after {} (trigram {:.2f})", first, loss, steps, lines.trigram));
  });
}
