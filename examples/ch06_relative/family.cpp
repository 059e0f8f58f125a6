#include "examples/ch06_relative/family.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "examples/shared/data/median.h"
#include "examples/shared/study/measured_encoding.h"
#include "nn/position/position_encoding.h"

namespace gradus::examples {
namespace {

std::string yes_or_no(bool yes) { return yes ? "✓" : "✗"; }

void lengths(Chapter& chapter, const std::map<std::string, std::vector<double>>& kept) {
  Plot plot{.title = "Accuracy against the length of the text",
            .alt = {},
            .x = {"length of the text, in lengths of the training texts", false, 1, 4},
            .y = {"right answers (share)", false, 0, 1.05},
            .lines = {}};
  for (const auto& [name, colour] : {std::pair{"xl", "f4"}, {"t5", "f3"}, {"rope", "f1"}, {"alibi", "none"}, {"learned", "f2"}}) {
    const std::vector<double>& y = kept.at(name);
    plot.lines.push_back({.name = name, .x = {1, 2, 4}, .y = y, .colour = colour});
    plot.alt += fmt::format(" {}: {:.2f}, {:.2f}, {:.2f}.", name, y[0], y[1], y[2]);
  }
  plot.alt = "Line plot. x: 1, 2 and 4 times the trained length; y: share of right answers from 0 to 1." + plot.alt;
  chapter.report.figure(
      {"To know the distance alone is not enough: RoPE answers rightly at the trained length and guesses at four times it.", draw(plot),
       fmt::format("One layer of attention names the token {} places before, out of 16 (chance 0.06). Each line "
                   "the median of the seeds; the table has all.",
                   kLookBack)});
}

void claim_lengths(Chapter& chapter, const std::map<std::string, std::vector<double>>& kept) {
  const auto holds = [&](const std::string& name) { return kept.at(name)[2] > 0.9 * kept.at(name)[0]; };
  std::string keep, lose;
  for (const auto& [name, accuracy] : kept) {
    if (accuracy[0] > 0.9) (holds(name) ? keep : lose) += (holds(name) ? (keep.empty() ? "" : ", ") : (lose.empty() ? "" : ", ")) + name;
  }
  chapter.claim("position-extrapolates", "A good encoding works on longer texts than it was trained on.",
                lose.empty()   ? Verdict::confirmed
                : keep.empty() ? Verdict::refuted
                               : Verdict::depends,
                fmt::format("For those that learn the task, kept at four times the length: {}; lost: {}. Rule: kept if the accuracy at 4T "
                            "is above 0.9 of that at T.",
                            keep, lose));
  chapter.claim("rnn-positions-extrapolate", "A recurrent encoding has no greatest length.",
                holds("rnn") ? Verdict::confirmed : Verdict::refuted,
                fmt::format("{:.2f} at T, {:.2f} at 4T, by the same rule; chapter 05 shows where it stops counting.", kept.at("rnn")[0],
                            kept.at("rnn")[2]));
}

}  // namespace

void compare_encodings(Chapter& chapter) {
  std::vector<std::string> names{"none", "sinusoidal", "learned", "rnn", "shaw", "xl", "t5", "rope", "xpos", "alibi", "kerple", "fire"};
  if (chapter.full()) {
    names.clear();
    for (const auto& row : nn::position_encodings().variants) names.emplace_back(row.name);
  }
  const int steps = chapter.full() ? 800 : 250, seeds = chapter.full() ? 5 : 2;
  std::map<std::string, std::vector<double>> kept;  // the accuracies of each
  ReportTable table{
      fmt::format("Unique: the last of 64 queries gives no two equal tokens one score. Relative: distance explains all of the "
                  "variance of the scores. Then the share of right answers to “which token was {} places before?”, of 16; "
                  "chance 0.06.",
                  kLookBack),
      {{"encoding"}, {"place"}, {"unique"}, {"relative", "share", true}, {"at T = 32", "", true}, {"at 2T", "", true}, {"at 4T", "", true}},
      {}};
  chapter.tell(
      fmt::format("\nunique: do equal tokens at two places get different scores? relative: the share\n"
                  "of the scores' variance that distance explains. T, 2T, 4T: the share of right\n"
                  "answers to \"which token was {} before?\" (chance 0.06) in texts of T = 32 tokens,\n"
                  "as in training, and in longer ones.\n\n{:<12} unique relative   T     2T    4T",
                  kLookBack, "encoding"));
  for (const std::string& name : names) {
    MeasuredEncoding found = measure_encoding(name, chapter.seed());
    std::vector<double> accuracy;
    for (int i = 0; i < seeds; ++i) found.accuracy.push_back(look_back_accuracy(name, steps, chapter.seed() + static_cast<unsigned>(i)));
    for (std::size_t length = 0; length < 3; ++length) {
      std::vector<double> seen;
      for (const auto& seed : found.accuracy) seen.push_back(seed[length]);
      accuracy.push_back(median(seen));
    }
    kept[name] = accuracy;
    const bool unique = found.nearest > 1e-6;
    const std::string share = std::isnan(found.law.share) ? "no difference" : fixed(found.law.share, 3);
    table.rows.push_back(
        {name, found.place, yes_or_no(unique), share, fixed(accuracy[0], 2), fixed(accuracy[1], 2), fixed(accuracy[2], 2)});
    chapter.tell(fmt::format("{:<12}   {}    {:>5}   {:.2f}  {:.2f}  {:.2f}", name, yes_or_no(unique),
                             std::isnan(found.law.share) ? "-" : fixed(found.law.share, 3), accuracy[0], accuracy[1], accuracy[2]));
    const std::string path = "family." + name;
    chapter.number(path + ".nearest", found.nearest);
    chapter.number(path + ".share", found.law.share);
    chapter.number(path + ".accuracy", accuracy);
    chapter.word(path + ".place", found.place);
  }
  chapter.report.section("family", "Unique, relative, longer than trained: measured");
  lengths(chapter, kept);
  chapter.report.table(table);
  chapter.report.text(
      fmt::format("Tokens are equal, so that only positions differ; tables that start at zero were drawn at random. The model of the "
                  "last three columns: one layer of attention, width 32, {} steps on texts of 32 tokens, median of {} seeds, asked "
                  "in the second half of texts of 32, 64 and 128. Tables are long enough for all of them; rows that no training "
                  "text reached are as they started.",
                  steps, seeds));
  claim_lengths(chapter, kept);
}

}  // namespace gradus::examples
