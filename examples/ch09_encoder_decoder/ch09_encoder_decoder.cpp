// ch09_encoder_decoder: one network reads, another writes, and cross-attention is the wire between: it learns to reverse.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/core.h"
#include "examples/ch09_encoder_decoder/attention_weights.h"
#include "examples/ch09_encoder_decoder/call_steps.h"
#include "examples/ch09_encoder_decoder/reverser.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "examples/shared/training/causality.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

constexpr int64_t kTrained = 8, kLongest = 16;  // letters of a sequence: in training, at most in the test

// The first Transformer, small: one block to read and one to write, sinusoidal positions, layer norm after each sublayer.
nn::EncoderDecoder new_model() {
  nn::TransformerOptions sizes = nn::original_transformer();
  sizes.vocabulary = kLetters + 1;
  sizes.context = kLongest + 1;
  sizes.d_model = 64;
  sizes.layers = 1;
  return nn::EncoderDecoder({.stacks = sizes});
}

std::string in_letters(const Tensor& ids) {
  std::string text;
  for (const double id : values_of(ids)) text += id < kLetters ? static_cast<char>('a' + static_cast<int>(id)) : '.';
  return text;
}

std::vector<std::string> one_by_one(const std::string& text) {
  std::vector<std::string> letters;
  for (const char c : text) letters.emplace_back(1, c);
  return letters;
}

// The cross-attention of the last block while it writes the right letters: [heads, n, n + 1].
Tensor cross_weights(nn::EncoderDecoder& model, const Pairs& task, bool connected = true) {
  const auto all = attention_weights([&] { return model(task.source, begun(task.letters), wire(task.source, connected)); });
  return all.back().probabilities[0];
}

// The mean weight on the letter that is to be written: n - 1 - t at place t.
double on_the_letter(const Tensor& weights) {
  const int64_t length = weights.size(0);
  double total = 0;
  for (int64_t t = 0; t < length; ++t) total += weights.at({t, length - 1 - t});
  return total / static_cast<double>(length);
}

// Rows: what is written; columns: what was read, and the mark.
HeatMap map_of(const Tensor& weights, const Pairs& task, double cell) {
  return {.rows = rows_of(weights),
          .limit = 1,
          .decades = 3,
          .cell = cell,
          .alt = {},
          .row_names = one_by_one(in_letters(task.letters)),
          .column_names = one_by_one(in_letters(task.source))};
}

// --- the one picture ---------------------------------------------------------------------------------------------

void anti_diagonal(Chapter& chapter, nn::EncoderDecoder& model) {
  const Pairs task = pairs(1, kTrained);
  const Tensor heads = cross_weights(model, task), mean_head = mean(heads, 0);
  HeatMap with = map_of(mean_head, task, 26), without = map_of(mean(cross_weights(model, task, false), 0), task, 26);
  const double right = on_the_letter(mean_head);
  with.alt = fmt::format(
      "Heat map of cross-attention: rows are the eight letters written, {}, columns the letters read, {}. The dark cells "
      "lie "
      "on the anti-diagonal, with a mean weight of {}.",
      in_letters(task.letters), in_letters(task.source), shown(right));
  without.alt = "The same map with the wire cut: every cell is exactly 0.";
  chapter.number("picture.weights", rows_of(mean_head));
  chapter.number("picture.on_the_letter", right);
  chapter.number("picture.cut", max(abs(mean(cross_weights(model, task, false), 0))).item());
  chapter.report.section("picture", "Where it looks while it writes");
  chapter.report.figure(
      {"To write the first letter it looks at the last it has read: an anti-diagonal.",
       panels({{"trained", fmt::format("{:.0f} % of the weight on the letter to write", 100 * right), draw(with)},
               {"the wire cut", "nothing is seen: exactly 0", draw(without)}},
              18) +
           key_of(with, "weight"),
       "Weights of the decoder’s cross-attention, mean of its four heads, on a sequence it has not seen. Rows: the letters "
       "it "
       "writes; columns: the letters it was given, and a mark that ends them."});
  std::vector<Panel> each;
  for (int64_t h = 0; h < heads.size(0); ++h) {
    each.push_back({fmt::format("head {}", h + 1), fmt::format("{:.0f} % on the letter to write", 100 * on_the_letter(heads[h])),
                    draw(map_of(heads[h], task, 14))});
  }
  chapter.report.figure({"The heads one by one.", panels(each), "The same sequence. What one head does not see, another may."});
}

void formula(Chapter& chapter) {
  chapter.report.section("formula", "Cross-attention");
  chapter.report.formula(
      "{v q} = {v x} {p W}{sub q};;{v k} = {v m} {p W}{sub k};;{v v} = {v m} {p W}{sub v};;"
      "{v y} = softmax({frac {v q} {v k}{sup T} | {root {c d}{sub head}}}) {v v}");
  chapter.report.text(
      "<var class=\"v\">x</var> is what the decoder has written so far, <var class=\"v\">m</var> what the encoder made of "
      "the "
      "source: queries come from the decoder, keys <em>and</em> values from the encoder. (One of the notes behind this "
      "course says queries and keys: an output would then be a mean of the decoder’s own values.) A decoder block is masked "
      "self-attention, cross-attention and a feed-forward layer, each with its norm.");
}

// --- four numbers by hand ------------------------------------------------------------------------------------------

// Three letters of value 10, 20, 30; the query of place t fits the key of letter 4 - t by ln 8, and the others by 0.
void by_hand(Chapter& chapter) {
  const Tensor keys = reshape(eye(3, 3, DType::f64), {1, 3, 1, 3}), queries = flip(keys, {1}) * std::log(8);
  const Tensor values = reshape(tensor({10, 20, 30}, DType::f64), {1, 3, 1, 1}) * ones({1, 1, 1, 3}, DType::f64);
  const Tensor p = nn::attention_probabilities(queries, keys, {.scale = 1}), y = nn::attention(queries, keys, values, {.scale = 1});
  ReportTable table{"e<sup>q·k</sup> is 8 for the right key and 1 for two others, so the weights are 8/10, 1/10, 1/10. Values 10, 20, 30.",
                    {{"place"}, {"weights"}, {"output", "", true}},
                    {}};
  std::vector<double> outputs;
  for (int64_t t = 0; t < 3; ++t) {
    outputs.push_back(y.at({0, t, 0, 0}));
    table.rows.push_back({std::to_string(t + 1),
                          fmt::format("{:.1f}, {:.1f}, {:.1f}", p.at({0, 0, t, 0}), p.at({0, 0, t, 1}), p.at({0, 0, t, 2})),
                          fixed(outputs.back(), 0)});
  }
  chapter.number("hand.y", outputs);
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(
      "27 for 30, 20, 13 for 10: the values in reverse, a little blurred. Training makes the fit larger, and the blur "
      "goes.");
  chapter.show_tape();
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

Line accuracy_by_length(Chapter& chapter, nn::EncoderDecoder& model, const std::string& colour) {
  Line line{.name = "", .x = {}, .y = {}, .colour = colour};
  for (int64_t length = 1; length <= kLongest; ++length) {
    line.x.push_back(static_cast<double>(length));
    line.y.push_back(100 * examine(model, length, true, chapter.full() ? 1000 : 200).letters);
  }
  return line;
}

void lengths(Chapter& chapter, Models& models, int64_t length) {
  const double chance = 100.0 / kLetters;
  const Line one = accuracy_by_length(chapter, models.one_length, "f4"), many = accuracy_by_length(chapter, models.many_lengths, "f1");
  const Line guess{.name = "chance", .x = {1, kLongest}, .y = {chance, chance}, .colour = "none"};
  chapter.number("lengths.trained_at_8", one.y);
  chapter.number("lengths.trained_at_1_to_8", many.y);
  const auto at = [](const Line& line, int64_t n) { return shown(line.y.at(static_cast<std::size_t>(n - 1))); };
  chapter.report.section("lengths", "What did it learn: to reverse, or to reverse eight letters?");
  chapter.report.figure(
      {"Trained on eight letters it can reverse eight, not seven. Trained on one to eight, it breaks off after eight.",
       draw(Plot{.title = "Letters right against the length of the sequence",
                 .alt = fmt::format("Line plot. x: length from 1 to {}; y: letters right from 0 to 100 %. Trained at 8: {} % at 7, {} % "
                                    "at 8, {} % at 9. Trained at 1 to 8: {} % at 4, {} % at 8, {} % at 9, {} % at 12. Chance is "
                                    "{} %.",
                                    kLongest, at(one, 7), at(one, 8), at(one, 9), at(many, 4), at(many, 8), at(many, 9), at(many, 12),
                                    shown(chance)),
                 .x = {"letters in the test", false, 1, kLongest},
                 .y = {"letters right (%)", false, 0, 104},
                 .lines = {one, many, guess},
                 .remarks = {{.text = "trained at 1 to 8", .x = 3, .y = 93, .colour = "f1"},
                             {.text = "trained at 8", .x = 2.3, .y = 40, .colour = "f4"}}}),
       fmt::format("Written letter by letter, each time the likeliest, {} sequences for each length."
                   " Positions are sinusoidal and absolute: the decoder never saw place 9.",
                   chapter.full() ? 1000 : 200)});
  ReportTable table{
      fmt::format("One sequence of {} letters (<code>--length</code>).", length), {{"model"}, {"given"}, {"written"}, {"right"}}, {}};
  const Pairs task = pairs(1, length);
  for (auto& [name, model] :
       {std::pair<std::string, nn::EncoderDecoder*>{"trained at 8", &models.one_length}, {"at 1 to 8", &models.many_lengths}}) {
    table.rows.push_back({name, "<code>" + in_letters(task.source) + "</code>",
                          "<code>" + in_letters(write_down(*model, task.source)) + "</code>",
                          "<code>" + in_letters(task.letters) + "</code>"});
  }
  chapter.report.table(table);
  std::vector<Panel> maps;
  for (const int64_t n : {5, 8, 11}) {
    const Pairs other = pairs(1, n);
    const Tensor weights = mean(cross_weights(models.many_lengths, other), 0);
    maps.push_back({fmt::format("{} letters", n), fmt::format("{:.0f} % on the letter to write", 100 * on_the_letter(weights)),
                    draw(map_of(weights, other, 14))});
  }
  chapter.report.figure({"Beyond eight letters the anti-diagonal frays.", panels(maps, 13),
                         "Cross-attention of the model that was trained on one to eight letters, mean of its heads, three sequences."});
}

// --- claims ---------------------------------------------------------------------------------------------------------

void wire_needed(Chapter& chapter, const Score& with, const Score& without, int64_t count) {
  const double chance = 1.0 / kLetters, error = std::sqrt(chance * (1 - chance) / static_cast<double>(count * kTrained));
  const bool needed = with.letters > 0.99 && std::abs(without.letters - chance) < 3 * error;
  const Verdict verdict = needed ? Verdict::confirmed : Verdict::refuted;
  chapter.word("claim.wire-needed", seen_here(verdict));
  chapter.report.section("claims", "Claims");
  chapter.report.claim(
      "wire-needed", "Without cross-attention the decoder cannot know what the encoder read.", badge(verdict, seen_here(verdict)),
      fmt::format("With the wire {:.1f} % of {} held-out letters, without {:.1f} %; chance is {:.2f} ± {:.2f} %. Rule: seen here if "
                  "above 99 % with it and within three standard errors of chance without.",
                  100 * with.letters, count * kTrained, 100 * without.letters, 100 * chance, 100 * error));
  chapter.report.section("same-name", "Same name, other formula");
  ReportTable table{"Three attentions in one model: the formula is one, what goes in differs.",
                    {{"attention"}, {"queries"}, {"keys, values"}, {"mask"}},
                    {}};
  table.rows.push_back({"of the encoder", "source", "source", "padding"});
  table.rows.push_back({"of the decoder", "target", "target", "causal"});
  table.rows.push_back({"cross", "target", "source", "padding of the source"});
  chapter.report.table(table);
}

// --- the model of the paper, call by call -----------------------------------------------------------------------------

// A path as HTML, which a line may break after each dot.
std::string path_html(const std::string& path) {
  std::string text = "<code>";
  for (const char c : path) text += c == '.' ? ".<wbr>" : std::string(1, c);
  return text + "</code>";
}

// In the paper's sizes: six blocks and six, 512 wide, eight heads. Only the letters are fewer than the paper's words.
void call_by_call(Chapter& chapter) {
  nn::TransformerOptions sizes = nn::original_transformer();
  sizes.vocabulary = kLetters + 1;
  sizes.context = kLongest + 1;
  sizes.d_model = 512;
  sizes.layers = 6;
  sizes.heads = 8;
  nn::EncoderDecoder model({.stacks = sizes});
  const Pairs task = pairs(1, kTrained);
  ReportTable table{"Each call of one forward, what it makes, and what it reads.", {{"call"}, {"what it is"}, {"shape"}, {"reads"}}, {}};
  for (const CallStep& step : call_steps([&] { return nn::softmax(model(task.source, begun(task.letters))); })) {
    const std::string at = "calls." + step.path;
    chapter.word(at + ".type", step.type);
    chapter.number(at + ".shape", std::vector<double>(step.shape.begin(), step.shape.end()));
    chapter.words(at + ".reads", step.reads);
    table.rows.push_back({path_html(step.path), escaped(step.type), fmt::format("{}", step.shape),
                          step.reads.empty() ? "ids" : path_html(fmt::format("{}", fmt::join(step.reads, ", ")))});
  }
  chapter.report.section("calls", "The Transformer of 2017, call by call");
  chapter.report.text(
      "Vaswani and colleagues’ sizes: six blocks that read and six that write, all alike, so that the parts "
      "of the first are enough.");
  chapter.report.table(table);
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
    chapter.report.one_number(number,
                              fmt::format("The one number: letters right on sequences it has not seen, with the wire and with the wire "
                                          "cut. Chance is 1/{} = {:.2f} %.",
                                          kLetters, 100 * chance));
    chapter.ask({"Trained to reverse eight letters, it is right in all of them.\nHow well does it reverse seven?",
                 {"as well: seven is easier than eight", "a little worse", "badly: most letters are wrong"},
                 2,
                 "It learned which place\nto look at for each place it writes; with seven letters all places move."});
    const Pairs task = pairs(1, kTrained);
    chapter.tell(fmt::format("  given {}  written {}  right {}", in_letters(task.source),
                             in_letters(write_down(models.one_length, task.source)), in_letters(task.letters)));
    anti_diagonal(chapter, models.one_length);
    formula(chapter);
    by_hand(chapter);
    lengths(chapter, models, length);
    wire_needed(chapter, with, without, count);
    call_by_call(chapter);
    chapter.finish(number + " of held-out letters: with the wire, and with it cut");
  });
}
