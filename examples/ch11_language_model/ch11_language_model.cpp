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
  ReportTable table{
      "The same model before its first step, by how its head begins. A loss that starts far above ln 256 is the "
      "head’s noise, which the first steps must unlearn. Measured: the mean of 16 seeds.",
      {{"head begins"}, {"a score’s s²", "d std²", true}, {"ln 256 + s²/2", "nats", true}, {"measured", "nats", true}},
      {}};
  for (const double std : {0.0, 0.02, 0.125, 0.25}) {
    const double s2 = d * std * std, loss = loss_at_the_start(corpus, std, chapter.seed(), 16);
    table.rows.push_back({std == 0 ? "0" : fmt::format("N(0, {}²)", std), fixed(s2, 3), fixed(guess + s2 / 2, 3), fixed(loss, 3)});
    chapter.number(fmt::format("start.head.{}", std == 0 ? "zero" : fmt::format("{}", static_cast<int>(1000 * std))),
                   {s2, guess + s2 / 2, loss});
  }
  chapter.number("start.loss", measured);
  chapter.report.section("start", "Before the first step");
  chapter.report.formula("{v L} = log {m Z} − {v z}{sub y};;log {m Z} = log Σ{sub j} e{sup {v z}{sub j}} ≈ ln 256 + {frac {c s}² | 2}");
  chapter.report.table(table);
  chapter.report.text(
      "So it is with <code>train</code>, whose head is the embedding: its rows have the length 1, so s² is about 1, and the "
      "loss begins near 6.0. That is the price of one table for both ends.");
}

// --- the picture: the lines that it passes ---------------------------------------------------------------------

std::string meaning_of(const std::string& line) {
  if (line == "guess") return "some bytes are likelier than others";
  if (line == "unigram") return "how often each byte comes, and more";
  if (line == "bigram") return "what comes after a byte, and more";
  return "more than what comes after two bytes";
}

void the_picture(Chapter& chapter, const Learned& learned, const LossCurve& blind, const NgramLines& lines) {
  Plot plot = loss_plot({}, learned.validation, lines);
  plot.title = "A model passes guess, unigram, bigram and trigram";
  plot.lines.push_back({.name = "attention cut", .x = blind.steps, .y = blind.losses, .colour = "wrong"});
  plot.alt += fmt::format(" With attention cut it ends at {}.", shown(blind.losses.back()));
  const double last = learned.validation.steps.back();
  chapter.report.section("lines", "Four lines, passed one after the other");
  chapter.report.figure(
      {learned.passed.size() == 4 ? "It learns how often bytes come, then what follows one, then what follows two, then "
                                    "more than counting can say."
                                  : "It learns how often bytes come, then what follows what.",
       draw(plot),
       fmt::format("Cross-entropy on the validation text, {} after {} steps. Dashed: models that count bytes in the "
                   "training text, adding {} to each count. Dots: first seen below. Attention cut: each position sees itself "
                   "alone, as further below. d = 64, 2 blocks, 4 heads, context 64, batch 16, AdamW at 0.006. Redraw: "
                   "<code>./examples/run ch11</code>",
                   shown(learned.validation.losses.back()), shown(last), kAddedCount)});
  for (const Passed& passed : learned.passed) {
    chapter.number(fmt::format("passed.{}.step", passed.line), static_cast<double>(passed.step));
    chapter.number(fmt::format("passed.{}.loss", passed.line), passed.loss);
    chapter.word(fmt::format("passed.{}.sample", passed.line), printable(passed.sample));
    chapter.report.text(fmt::format("<b>Below the {} line, {} nats, at step {}</b>: {}.", passed.line, fixed(passed.height, 2), passed.step,
                                    meaning_of(passed.line)));
    chapter.report.transcript(in_lines(passed.sample), fmt::format("Sample at step {}", passed.step));
    chapter.tell(fmt::format("  below {:<8} {:.2f} at step {:>3}", passed.line, passed.height, passed.step));
  }
}

void write_lines(Chapter& chapter, const Corpus& corpus, const NgramLines& lines) {
  ReportTable table{
      "A line moves with what is added to each count: the trigram’s most, as most of its contexts are rare. Each is "
      "an "
      "upper bound of the text’s entropy, none is the entropy.",
      {{"added to each count"}, {"unigram", "nats", true}, {"bigram", "nats", true}, {"trigram", "nats", true}},
      {}};
  for (const double alpha : {1.0, 0.1, 0.01}) {
    std::vector<double> row;
    for (const int n : {1, 2, 3}) row.push_back(ngram_loss(corpus.train_text(), corpus.validation_text(), n, alpha));
    table.rows.push_back({fmt::format("{}", alpha), fixed(row[0], 3), fixed(row[1], 3), fixed(row[2], 3)});
    chapter.number(fmt::format("ngrams.alpha_{}", static_cast<int>(100 * alpha)), row);
  }
  chapter.number("lines", {lines.guess, lines.unigram, lines.bigram, lines.trigram});
  chapter.report.formula("{v P}({m c} ∣ {m h}) = {frac {m n}({m h c}) + {c α} | {m n}({m h}) + 256 {c α}};;{v L} = mean of −log {v P}");
  chapter.report.table(table);
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
  chapter.report.section("blind", "Without attention");
  chapter.report.text(
      fmt::format("The same model, the same steps, but each position sees itself alone: it ends at {} nats, with "
                  "attention at {}. No training can help it. Whoever knows one byte "
                  "cannot get below {}, the validation text’s own bigram entropy; what a table counted in the training "
                  "text reaches there, {}, is what one can hope for.",
                  fixed(blind, 3), fixed(loss, 3), fixed(bound, 3), fixed(lines.bigram, 3)));
}

// --- numbers by hand -------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const double unigram = ngram_loss("abac", "a", 1, 0), bigram = ngram_loss("abac", "ab", 2, 0);
  const Tensor scores = tensor({0, std::log(4.0)}, DType::f64);
  ReportTable table{"The text <code>abac</code>, and the scores z = [0, ln 4], so e<sup>z</sup> = [1, 4].",
                    {{"question"}, {"by hand"}, {"computed", "", true}},
                    {}};
  table.rows.push_back({"loss of <code>a</code>, by counts", "2 of 4: ln 2", fixed(unigram, 4)});
  table.rows.push_back({"loss of <code>b</code> after <code>a</code>", "b, c: ln 2", fixed(bigram, 4)});
  const auto second = [&](double temperature) { return distribution(scores, temperature, 0).at({1}); };
  for (const auto& [temperature, words] :
       {std::pair{1.0, "4/(1 + 4)"}, {2.0, "2/(1 + 2), as 4<sup>1/2</sup> = 2"}, {0.5, "16/(1 + 16), as 4<sup>2</sup> = 16"}}) {
    table.rows.push_back({fmt::format("second probability at T = {}", temperature), words, fixed(second(temperature), 4)});
  }
  chapter.number("hand.ngrams", {unigram, bigram});
  chapter.number("hand.temperature", {second(0.5), second(1), second(2)});
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
}

void same_name(Chapter& chapter) {
  chapter.report.section("same-name", "Same name, other formula");
  ReportTable table{"What these words mean differs between sources.", {{"word"}, {"here"}, {"elsewhere"}}, {}};
  table.rows.push_back(
      {"loss", "nats per byte", "bits per byte: divided by ln 2; nats per token, of tokens of several bytes: not comparable"});
  table.rows.push_back({"perplexity", "e<sup>L</sup> per byte", "per word, or per token of a vocabulary of one’s own"});
  table.rows.push_back({"temperature 0", "the limit: always the likeliest byte", "an error, or a division by 0"});
  table.rows.push_back({"trigram", "two bytes before", "three words"});
  chapter.report.table(table);
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
    chapter.report.one_number(fixed(first, 3),
                              "The one number: nats per byte before the first step. A guess among 256 bytes costs ln 256 = 5.545; if a "
                              "model begins elsewhere, its init or its head is wrong.");
    chapter.ask({"A model of bytes has learned nothing yet. What is its loss, in nats?",
                 {"about 1: it is wrong every time", "ln 256 = 5.545: a guess among 256", "anything: the weights are random"},
                 1,
                 "Scores near 0 give each\nbyte the probability 1/256. Any other number says that the head begins too "
                 "large."});
    chapter.tell(fmt::format("Before the first step: {:.3f} nats per byte. A guess costs ln 256 = {:.3f}.", first, lines.guess));
    const Learned learned = learn(trainer, steps, lines);
    const LossCurve blind = without_attention(corpus, steps, chapter.seed());
    const double loss = learned.validation.losses.back();
    the_picture(chapter, learned, blind, lines);
    write_lines(chapter, corpus, lines);
    write_milestone(chapter, corpus, lines, blind.losses.back(), loss);
    the_start(chapter, corpus, first);
    by_hand(chapter);
    sampling(chapter, trainer, temperature, prompt);
    tying(chapter);
    const int64_t one_pass = corpus.train_bytes() / (8 * 64);
    claims(chapter, corpus, std::clamp<int64_t>(steps / (chapter.full() ? 2 : 7), 10, one_pass), lines.trigram);
    same_name(chapter);
    chapter.number("final.loss", loss);
    chapter.number("final.parameters", static_cast<double>(trainer.parameter_count()));
    chapter.finish(
        fmt::format("{:.3f} nats at step 0 (ln 256 = 5.545), {:.2f} after {} (trigram {:.2f})", first, loss, steps, lines.trigram));
  });
}
