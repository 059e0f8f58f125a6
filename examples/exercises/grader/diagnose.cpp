#include "examples/exercises/grader/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "examples/exercises/grader/relation.h"
#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

// On the first probe that is wrong, as it is the one that is shown.
std::optional<Verdict> with_numbers_missing(const Many& got, const Many& expected) {
  std::size_t p = 0;
  while (p + 1 < got.size() && equal(got[p], expected[p])) ++p;
  for (std::size_t i = 0; i < got[p].size(); ++i) {
    const Array &mine = got[p][i], &right = expected[p][i];
    for (std::size_t at = 0; at < mine.numbers.size(); ++at) {
      if (never_written(mine.numbers[at])) {
        return Verdict{Kind::not_a_number, fmt::format("{} is never written, or added to before it is.", place(mine, at)),
                       "Do your loops reach every number, and is each set with = before += adds to it?", {}};
      }
      if (from_outside(mine.numbers[at])) {
        return Verdict{Kind::not_a_number, fmt::format("{} is made of a number from beyond the end of an input.", place(mine, at)),
                       "Which index is as large as the number of rows or columns? And which is the row's, which the column's?", {}};
      }
      if (std::isnan(mine.numbers[at]) && !std::isnan(right.numbers[at])) {
        return Verdict{Kind::not_a_number, fmt::format("{} is NaN, where {:.6g} is right.", place(mine, at), right.numbers[at]),
                       "Which of your operations makes NaN: 0/0, 0·∞, ∞ − ∞, ∞/∞, a root of something negative? Or is something read before it is written?", {}};
      }
    }
  }
  return {};
}

// What these mistakes make of probe number `p`, if they do not throw: the same each time, so it is kept. (An exercise's stages live
// as long as the program.)
const std::optional<Outputs>& wrong_outputs(const Stage& stage, Made made, std::size_t p) {
  static std::map<std::tuple<const Stage*, unsigned long long, std::size_t>, std::optional<Outputs>> kept;
  const auto [place, is_new] = kept.try_emplace({&stage, made.to_ullong(), p});
  if (is_new) place->second = attempt([&](const Probe& probe) { return stage.with(probe, made); }, stage.probes[p]);
  return place->second;
}

// Where a mistake makes all 0, an answer may have what rounding leaves: to be measured by the size of what is right.
bool equal_but_for_rounding(const Array& got, const Array& wrong, const Array& right) {
  const auto all = [](const Array& array, auto holds) { return std::all_of(array.numbers.begin(), array.numbers.end(), holds); };
  if (!all(wrong, [](double one) { return one == 0; })) return equal(got, wrong);
  const double rounding = 1e-12 * largest(right);
  return got.shape == wrong.shape && all(got, [=](double one) { return std::abs(one) <= rounding; });
}

// Do these mistakes give `got`, and, if that ends early, do they throw on the next probe?
bool matches(const Stage& stage, Made made, const Many& got) {
  for (std::size_t p = 0; p < got.size(); ++p) {
    const auto& wrong = wrong_outputs(stage, made, p);
    if (!wrong || wrong->size() != got[p].size()) return false;
    const Outputs& right = *wrong_outputs(stage, {}, p);
    for (std::size_t i = 0; i < wrong->size(); ++i) {
      if (!equal_but_for_rounding(got[p][i], (*wrong)[i], right[i])) return false;
    }
  }
  return got.size() == stage.probes.size() || !wrong_outputs(stage, made, got.size());
}

std::optional<Verdict> one_mistake(const Stage& stage, const Many& got) {
  for (std::size_t i = 0; i < stage.mistakes.size(); ++i) {
    const Mistake& mistake = stage.mistakes[i];
    if (!matches(stage, Made{}.set(i), got)) continue;
    const Published& published = published_as(mistake.id);
    if (mistake.convention) {
      return Verdict{Kind::convention, fmt::format("Right, by another convention: {}.", published.line), "", {published.id}};
    }
    const char* known = published.source.empty() ? "This mistake is known" : "This mistake has been published";
    return Verdict{Kind::mistake, fmt::format("{}: {}.", known, published.line), mistake.question, {published.id}};
  }
  return {};
}

Verdict both(const Mistake& one, const Mistake& other) {
  const std::string &line = published_as(one.id).line, &second = published_as(other.id).line;
  if (one.convention && other.convention) {
    return {Kind::convention, fmt::format("Right, by two other conventions: {}; and {}.", line, second), "", {one.id, other.id}};
  }
  if (one.convention) {
    return {Kind::mistake, fmt::format("This mistake is known: {} (and your convention, {}, is fine).", second, line),
            other.question, {other.id, one.id}};
  }
  if (other.convention) return both(other, one);
  return {Kind::two_mistakes, fmt::format("Two mistakes at once: {}; and {}.", line, second), one.question, {one.id, other.id}};
}

std::optional<Verdict> two_mistakes(const Stage& stage, const Many& got) {
  for (std::size_t i = 0; i < stage.mistakes.size(); ++i) {
    for (std::size_t j = i + 1; j < stage.mistakes.size(); ++j) {
      if (matches(stage, Made{}.set(i).set(j), got)) return both(stage.mistakes[i], stage.mistakes[j]);
    }
  }
  return {};
}

std::optional<Verdict> broken_law(const Stage& stage, const Many& got) {
  for (const Law& law : stage.laws) {
    for (std::size_t p = 0; p < got.size(); ++p) {
      const std::string how = law.broken(stage.probes[p], got[p]);
      if (!how.empty()) {
        return Verdict{Kind::law, fmt::format("A law is broken: {}; here {}.", law.sentence, how), law.question, {}, &stage.probes[p]};
      }
    }
  }
  return {};
}

// fmt's words for what is no number, as the grader writes them.
std::string with_signs(std::string text) {
  for (const auto& [word, sign] : {std::pair{"-nan", "NaN"}, {"nan", "NaN"}, {"-inf", "−∞"}, {"inf", "∞"}}) {
    const std::string whole = word;
    for (std::size_t at = text.find(whole); at != std::string::npos; at = text.find(whole, at + 1)) {
      const auto is_letter = [&](std::size_t i) { return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
      if (!is_letter(at - 1) && !is_letter(at + whole.size())) text.replace(at, whole.size(), sign);
    }
  }
  return text;
}

// The first probe that is wrong, if the verdict has none yet, and what was got.
void show_wrong_probe(Verdict& verdict, const Stage& stage, const Many& got) {
  for (std::size_t p = 0; p < got.size(); ++p) {
    if (verdict.probe != nullptr && verdict.probe != &stage.probes[p]) continue;
    const Outputs expected = stage.right(stage.probes[p]);
    if (equal(got[p], expected)) continue;
    verdict.probe = &stage.probes[p];
    verdict.got = got[p];
    verdict.expected = expected;
    return;
  }
}

// A run that ended early, if a known mistake gives the same up to there, and throws on the same probe.
std::optional<Verdict> known_to_end(const Stage& stage, const Run& run) {
  const bool thrown = run.end == Run::End::threw || run.end == Run::End::wrong_shape;
  if (!thrown || run.outputs.empty() || run.outputs.size() == stage.probes.size()) return {};
  auto found = one_mistake(stage, run.outputs);
  if (found) show_wrong_probe(*found, stage, run.outputs);
  return found;
}

}  // namespace

bool passes(const Verdict& verdict) { return verdict.kind == Kind::pass || verdict.kind == Kind::convention; }

Verdict diagnose(const Stage& stage, const std::vector<Outputs>& outputs) {
  const Many expected = of_all(stage.probes, stage.right);
  if (all_equal(outputs, expected)) return {};
  if (!same_shapes(outputs, expected)) return {Kind::failed, "Its outputs are not those that were asked for.", "", {}};
  Verdict verdict;
  if (auto found = one_mistake(stage, outputs)) verdict = *found;
  else if (auto two = two_mistakes(stage, outputs)) verdict = *two;
  else if (auto missing = with_numbers_missing(outputs, expected)) verdict = *missing;
  else if (auto related = relation(stage, outputs, expected)) verdict = {Kind::relation, related->sentence, related->question, {}};
  else if (auto broken = broken_law(stage, outputs)) verdict = *broken;
  else if (auto some = some_outputs(outputs, expected)) verdict = {Kind::relation, some->sentence, some->question, {}};
  else verdict = {Kind::unknown, fmt::format("This is none of the {} mistakes that are known here.", stage.mistakes.size()),
                  "What is the first number that differs, by hand?", {}};
  verdict.sentence = with_signs(verdict.sentence);
  show_wrong_probe(verdict, stage, outputs);
  return verdict;
}

Verdict verdict(const Stage& stage, const Run& run) {
  if (auto known = known_to_end(stage, run)) return *known;
  const auto failed = [&](const std::string& sentence, const std::string& question = {}) {
    Verdict verdict{Kind::failed, sentence, question, {}};
    if (run.outputs.size() < stage.probes.size()) verdict.probe = &stage.probes[run.outputs.size()];
    return verdict;
  };
  switch (run.end) {
    case Run::End::finished: return diagnose(stage, run.outputs);
    case Run::End::not_written: return {Kind::not_written, fmt::format("{} is not written yet.", stage.function), "", {}};
    case Run::End::threw: return failed(fmt::format("It threw: {}", run.detail));
    case Run::End::crashed: return failed(fmt::format("It crashed: {}.", run.detail), "Which index may be too large, or negative?");
    case Run::End::out_of_memory: return failed(fmt::format("It asked for more memory than the {} that it may have.", run.detail), "Which size, or which loop, has no end?");
    case Run::End::endless_recursion: return failed("It called itself until the stack was full.", "Where does the recursion end?");
    case Run::End::not_repeated:
      return failed(fmt::format("Called once more with the same inputs, it gives another {}.", run.detail),
                    "What is kept from call to call, read before it is written, or read from outside of an array?");
    case Run::End::hung: return failed(fmt::format("It did not come to an end in {}.", run.detail), "Which loop's condition never becomes false?");
    case Run::End::exited: return failed("It ended the whole program, by exit() or the like; a function returns.");
    case Run::End::forked: return failed("It started another process. None is needed here.");
    case Run::End::wrote_outside:
      return failed(fmt::format("It wrote outside of {}.", run.detail), "Which index is below 0, or as large as the number of rows or columns?");
    case Run::End::changed_input: return failed(fmt::format("It changed its input {}.", run.detail));
    case Run::End::wrong_shape: return failed(fmt::format("{}.", run.detail));
    case Run::End::gradient_cut:
      return failed(fmt::format("No gradient reaches {}.", run.detail), "Which step takes numbers out of the tape?");
    case Run::End::not_loaded: return {Kind::failed, fmt::format("It uses something that is defined nowhere: {}", run.detail), "", {}};
  }
  return {};
}

}  // namespace gradus::exercises
