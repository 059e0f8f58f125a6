#include "examples/ch06_relative/family.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "examples/shared/data/median.h"
#include "examples/shared/study/measured_encoding.h"
#include "nn/position/position_encoding.h"

namespace gradus::examples {
namespace {

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
  chapter.series("family.back", kLookBack);
  chapter.series("family.steps", steps);
  chapter.series("family.seeds", seeds);
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
    chapter.tell(fmt::format("{:<12}   {}    {:>5}   {:.2f}  {:.2f}  {:.2f}", name, unique ? "✓" : "✗",
                             std::isnan(found.law.share) ? "-" : fixed(found.law.share, 3), accuracy[0], accuracy[1], accuracy[2]));
    const std::string path = "family." + name;
    chapter.number(path + ".nearest", found.nearest);
    chapter.number(path + ".share", found.law.share);
    chapter.number(path + ".accuracy", accuracy);
    chapter.word(path + ".place", found.place);
  }
  claim_lengths(chapter, kept);
}

}  // namespace gradus::examples
