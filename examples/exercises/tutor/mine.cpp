#include "examples/exercises/tutor/mine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "core/check.h"
#include "examples/exercises/grader/agree.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/in_place/chapters.h"
#include "examples/exercises/in_place/seams.h"
#include "examples/exercises/tutor/check.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/words.h"

namespace gradus::exercises {
namespace {

constexpr int kSteps = 200;
using examples::say;

// The first function of an answer that is not right, or the last.
std::string judged(const Exercise& exercise, const std::string& library, std::size_t answer) {
  std::string line;
  std::vector<Verdict> passed;
  for (std::size_t s = 0; s < exercise.stages.size(); ++s) {
    Verdict v = verdict(exercise.stages[s], run_apart(library, exercise, s, answer));
    if (passes(v)) {
      passed.push_back(v);
      if (const auto differ = disagreement(exercise, passed)) v = *differ;
    }
    line = fmt::format("{}\t{}\t{}\n", word(v.kind), exercise.stages[s].function, v.sentence);
    if (!passes(v)) break;
  }
  return line;
}

// What makes a difference although all is right.
void tell_causes(const std::vector<std::string>& conventions) {
  for (const std::string& one : conventions) say(fmt::format("  That is by your convention, which is not the library's. {}.\n", one));
}

// Says whether both are the same, or what differs first.
int told(const InPlace& result, const std::vector<std::string>& conventions) {
  const std::vector<double>&mine = result.mine.losses, &library = result.library.losses;
  for (const std::string& remark : result.mine.remarks) say("  " + examples::printable(remark) + "\n");
  if (result.same) {
    say(library.empty() ? "✓ as it should be\n"
                        : fmt::format("✓ the library's gives the same in every step, to a millionth; both end with {:.6f}\n", library.back()));
    return 0;
  }
  say(fmt::format("✗ {} differs first from {}\n", result.first, library.empty() ? "what it should be" : "the library's"));
  if (!library.empty()) say(fmt::format("  the loss ends with {:.6f}, the library's with {:.6f}\n", mine.back(), library.back()));
  tell_causes(conventions);
  return 1;
}

std::string rounded(double value) { return value != 0 && std::abs(value) < 1e-9 ? "≈ 0" : examples::shown(value); }

// A line for each probe, and below them a row for each version: the right one, yours, the published ones.
int told(const std::vector<examples::Answer>& answers, const std::vector<std::string>& conventions) {
  const auto &right = answers[0].probes, &yours = answers[1].probes;
  std::string numbers = fmt::format("{:30}", "");
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < right.size(); ++i) {
    say(fmt::format("  {}  {}\n", i + 1, right[i].title));
    numbers += fmt::format("{:>10}", i + 1);
    if (!(std::abs(yours[i].value - right[i].value) < 1e-6)) wrong.push_back(i + 1);
  }
  say("\n" + numbers + "\n");
  for (const examples::Answer& answer : answers) {
    std::string row = fmt::format("{:30}", answer.published.id);
    for (const examples::Probe& probe : answer.probes) row += fmt::format("{:>10}", rounded(probe.value));
    say(row + "\n");
  }
  say(wrong.empty() ? "\n✓ yours is right in each\n" : fmt::format("\n✗ yours is not right in {}\n", fmt::join(wrong, ", ")));
  if (!wrong.empty()) tell_causes(conventions);
  return wrong.empty() ? 0 : 1;
}

// Calls f(functions, conventions) with a file's functions, if they pass.
template <typename F> int with_passed(const Exercise& exercise, const std::filesystem::path& file, bool coloured, const F& f) {
  const Checked checked = check_answer(exercise, file, coloured);
  if (!checked.passed) {
    say(checked.text + "\nIt is tried there once it passes.\n");
    return 1;
  }
  const Compiled compiled = compile(exercise, file);
  const Functions* functions = functions_in(compiled.library.string());
  check<ValueError>(functions != nullptr, "mine: {} cannot be loaded", compiled.library.string());
  return f(*functions, checked.conventions);
}

}  // namespace

int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured) {
  check<ValueError>(has_place(exercise.id), "mine: '{}' has no place in a model", exercise.id);
  return with_passed(exercise, file, coloured, [&](const Functions& functions, const std::vector<std::string>& conventions) {
    say(fmt::format("{} in {}\n", exercise.id, place_of(exercise.id)));
    return told(in_place(exercise.id, functions, kSteps, [](int step, double loss) {
      if (step == 1 || step % 50 == 0) say(fmt::format("  step {:3}  {:.6f} nats with yours\n", step, loss));
    }), conventions);
  });
}

int mine_in(const std::string& chapter, const Exercise& exercise, const std::filesystem::path& file, bool coloured) {
  return with_passed(exercise, file, coloured, [&](const Functions& functions, const std::vector<std::string>& conventions) {
    say(fmt::format("{} in {}, asked what tells its published mistakes apart\n", exercise.id, chapter));
    return told(asked_in(chapter, exercise.id, functions), conventions);
  });
}

int judge_answers(const Exercise& exercise, const std::string& library) {
  const Functions* functions = functions_in(library);
  check<ValueError>(functions != nullptr, "answers: {} cannot be loaded", library);
  for (std::size_t answer = 0; answer < functions->size() / exercise.stages.size(); ++answer) say(judged(exercise, library, answer));
  return 0;
}

}  // namespace gradus::exercises
