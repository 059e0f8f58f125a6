#include "examples/exercises/grader/diagnose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "examples/exercises/grader/recognise.h"
#include "examples/exercises/grader/relation.h"
#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

// A number, and what is right in its place, for which `is_one` holds: on the first probe that is wrong, as that is shown.
template <typename F> std::optional<std::pair<std::string, double>> first_number(const Many& got, const Many& expected, const F& is_one) {
  std::size_t p = 0;
  while (p + 1 < got.size() && equal(got[p], expected[p])) ++p;
  for (std::size_t i = 0; i < got[p].size(); ++i) {
    const Array &mine = got[p][i], &right = expected[p][i];
    for (std::size_t at = 0; at < mine.numbers.size(); ++at) {
      if (is_one(mine.numbers[at], right.numbers[at])) return std::pair{place(mine, at), right.numbers[at]};
    }
  }
  return {};
}

std::optional<Verdict> not_of_inputs(const Many& got, const Many& expected) {
  if (const auto found = first_number(got, expected, [](double mine, double) { return never_written(mine); })) {
    return Verdict{Kind::not_a_number, fmt::format("{} is never written, or added to before it is.", found->first),
                   "Do your loops reach every number, and is each set with = before += adds to it?"};
  }
  if (const auto found = first_number(got, expected, [](double mine, double) { return from_outside(mine); })) {
    return Verdict{Kind::not_a_number, fmt::format("{} is made of a number from beyond the end of an input.", found->first),
                   "Which index is as large as the number of rows or columns? And which is the row's, which the column's?"};
  }
  return {};
}

std::optional<Verdict> not_a_number(const Many& got, const Many& expected) {
  const auto found = first_number(got, expected, [](double mine, double right) { return std::isnan(mine) && !std::isnan(right); });
  if (!found) return {};
  return Verdict{
      Kind::not_a_number, fmt::format("{} is NaN, where {:.6g} is right.", found->first, found->second),
      "Which of your operations makes NaN: 0/0, 0·∞, ∞ − ∞, ∞/∞, a root of something negative? Or is something read before it is written?"};
}

// --- known mistakes ------------------------------------------------------------------------------------------------------------

std::string line_of(const Mistake& mistake) { return published_as(mistake.id).line; }

// With what the task asks for in the place of a convention, if it does.
std::string line_of_convention(const Mistake& mistake) {
  return mistake.asked.empty() ? line_of(mistake) : fmt::format("{} (the task asks for {})", line_of(mistake), mistake.asked);
}

Verdict both(const Mistake& one, const Mistake& other) {
  if (one.convention && other.convention) {
    return {Kind::convention,
            fmt::format("Right, by two other conventions: {}; and {}.", line_of_convention(one), line_of_convention(other)),
            "",
            {one.id, other.id}};
  }
  if (one.convention) {
    return {Kind::mistake,
            fmt::format("This mistake is known: {} (and your convention, {}, is fine).", line_of(other), line_of(one)),
            other.question,
            {other.id, one.id}};
  }
  if (other.convention) return both(other, one);
  return {
      Kind::two_mistakes, fmt::format("Two mistakes at once: {}; and {}.", line_of(one), line_of(other)), one.question, {one.id, other.id}};
}

Verdict verdict_of(const Recognised& found) {
  const Mistake& one = *found.mistakes[0];
  if (found.mistakes.size() > 1) return both(one, *found.mistakes[1]);
  if (one.convention) return {Kind::convention, fmt::format("Right, by another convention: {}.", line_of_convention(one)), "", {one.id}};
  const char* known = published_as(one.id).source.empty() ? "This mistake is known" : "This mistake has been published";
  return {Kind::mistake, fmt::format("{}: {}.", known, line_of(one)), one.question, {one.id}};
}

Verdict verdict_of_near(const Recognised& found) {
  const Mistake& one = *found.mistakes[0];
  const bool all = found.alike == found.wrong;
  const std::string where = all ? "" : fmt::format("On {} of the {} wrong probes ", found.alike, found.wrong);
  const std::string what = found.outputs.empty() ? all ? "This" : "this" : fmt::format("{}", fmt::join(found.outputs, " and "));
  const char* verb = found.outputs.size() > 1 ? "are" : "is";
  return {Kind::mistake, fmt::format("{}{} {} what a known mistake gives: {}.", where, what, verb, line_of(one)), one.question, {one.id}};
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

// The first probe that is wrong, if the verdict has none yet, what was got there unless it threw, and how many are wrong.
void show_wrong_probe(Verdict& verdict, const Stage& stage, const Attempts& got) {
  std::size_t wrong = 0;
  for (std::size_t p = 0; p < got.size(); ++p) {
    const Outputs expected = stage.right(stage.probes[p]);
    if (got[p].outputs && equal(*got[p].outputs, expected)) continue;
    ++wrong;
    if (verdict.probe == nullptr) verdict.probe = &stage.probes[p];
    if (verdict.probe != &stage.probes[p] || !got[p].outputs) continue;
    verdict.got = *got[p].outputs;
    verdict.expected = expected;
  }
  if (verdict.seen.empty()) verdict.seen = fmt::format("It is wrong on {} of {} probes.", wrong, got.size());
}

// An answer that gives numbers, none of which is right by a convention.
Verdict diagnose_wrong(const Stage& stage, const Attempts& got, const Many& outputs, const Many& expected) {
  if (const auto known = exactly(stage, got)) return verdict_of(*known);
  if (const auto memory = not_of_inputs(outputs, expected)) return *memory;
  const auto near = nearly(stage, got, expected);
  if (near && near->alike == near->wrong) return verdict_of_near(*near);
  if (const auto related = relation(stage, outputs, expected)) return {Kind::relation, related->sentence, related->question};
  if (near) return verdict_of_near(*near);
  if (const auto none = not_a_number(outputs, expected)) return *none;
  if (const auto part = wrong_part(stage, outputs, expected)) return {Kind::relation, part->sentence, part->question};
  if (const auto broken = broken_law(stage, outputs)) return *broken;
  if (const auto some = some_outputs(outputs, expected)) return {Kind::relation, some->sentence, some->question};
  return {Kind::unknown, fmt::format("This is none of the {} mistakes that are known here.", stage.mistakes.size()),
          "Work out the first ▲ of this probe by hand. At which step do you and your code part?"};
}

// --- runs that ended early -----------------------------------------------------------------------------------------------------

std::string said_by(const Run& run) { return (run.end == Run::End::threw ? "It threw: " : "") + run.detail + "."; }

std::string question_of(const Stage& stage, const std::string& thrown) {
  for (const Thrown& one : stage.thrown) {
    if (thrown.find(one.words) != std::string::npos) return one.question;
  }
  return thrown.find('[') != std::string::npos ? "Which shapes has that line in hand on this probe, and which did you expect?" : "";
}

// A known mistake that throws so, or gives what an answer throws at that goes on with it.
std::optional<Verdict> known_to_throw(const Stage& stage, const Run& run) {
  if (run.outputs.size() == stage.probes.size()) return {};  // it threw when it was repeated
  Attempts got;
  for (const Outputs& outputs : run.outputs) got.push_back({outputs});
  got.push_back({{}, run.detail});
  got.insert(got.end(), run.later.begin(), run.later.end());
  std::optional<Verdict> found;
  if (const auto known = exactly(stage, got)) found = verdict_of(*known);
  else if (const auto near = nearly(stage, got, of_all(stage.probes, stage.right))) found = verdict_of_near(*near);
  if (!found || passes(*found)) return {};
  found->seen = said_by(run);
  found->sentence = fmt::format("{} {}", found->seen, found->sentence);
  show_wrong_probe(*found, stage, got);
  return found;
}

Verdict failed(const Stage& stage, const Run& run, const std::string& sentence, const std::string& question = {}) {
  Verdict verdict{Kind::failed, sentence, question};
  if (run.outputs.size() < stage.probes.size()) verdict.probe = &stage.probes[run.outputs.size()];
  return verdict;
}

}  // namespace

bool passes(const Verdict& verdict) { return verdict.kind == Kind::pass || verdict.kind == Kind::convention; }

bool has_name(const Verdict& verdict) { return verdict.kind == Kind::mistake || verdict.kind == Kind::two_mistakes; }

Verdict diagnose(const Stage& stage, const Many& outputs) {
  const Many expected = of_all(stage.probes, stage.right);
  if (all_equal(outputs, expected)) return {};
  if (!same_shapes(outputs, expected)) return {Kind::failed, "Its outputs are not those that were asked for."};
  Attempts got;
  for (const Outputs& one : outputs) got.push_back({one});
  Verdict verdict = diagnose_wrong(stage, got, outputs, expected);
  verdict.sentence = with_signs(verdict.sentence);
  show_wrong_probe(verdict, stage, got);
  return verdict;
}

Verdict verdict(const Stage& stage, const Run& run) {
  const auto fails = [&](const std::string& sentence, const std::string& question = {}) { return failed(stage, run, sentence, question); };
  switch (run.end) {
    case Run::End::finished: return diagnose(stage, run.outputs);
    case Run::End::not_written: return {Kind::not_written, fmt::format("{} is not written yet.", stage.function)};
    case Run::End::threw:
    case Run::End::wrong_shape: {
      const auto known = known_to_throw(stage, run);
      return known ? *known : fails(said_by(run), question_of(stage, run.detail));
    }
    case Run::End::crashed: return fails(fmt::format("It crashed: {}.", run.detail), "Which index may be too large, or negative?");
    case Run::End::divided:
      return fails("It crashed: a division of a whole number by 0.", "By which whole number do you divide, and for which input is it 0?");
    case Run::End::aborted:
      return fails(fmt::format("It crashed: {}.", run.detail),
                   "Which of your asserts does not hold, or what was written to beyond its end, or freed twice?");
    case Run::End::returned_nothing:
      return fails(fmt::format("It crashed: {}.", run.detail), "Does every way through the function end with a return?");
    case Run::End::out_of_memory:
      return fails(fmt::format("It asked for more memory than the {} that it may have.", run.detail),
                   "Which size, or which loop, has no end?");
    case Run::End::endless_recursion: return fails("It called itself until the stack was full.", "Where does the recursion end?");
    case Run::End::not_repeated:
      return fails(fmt::format("Called once more with the same inputs, it gives another {}.", run.detail),
                   "What is kept from call to call, read before it is written, or read from outside of an array?");
    case Run::End::hung:
      return fails(fmt::format("It did not come to an end in {}.", run.detail), "Which loop's condition never becomes false?");
    case Run::End::exited: return fails("It ended the whole program, by exit() or the like; a function returns.");
    case Run::End::forked: return fails("It started another process. None is needed here.");
    case Run::End::wrote_outside:
      return fails(fmt::format("It wrote outside of {}.", run.detail),
                   "Which index is below 0, or as large as the number of rows or columns?");
    case Run::End::changed_input: return fails(fmt::format("It changed its input {}.", run.detail));
    case Run::End::gradient_cut:
      return fails(fmt::format("No gradient reaches {}.", run.detail), "Which step takes numbers out of the tape?");
    case Run::End::not_loaded: return {Kind::failed, fmt::format("It uses something that is defined nowhere: {}", run.detail)};
  }
  return {};
}

}  // namespace gradus::exercises
