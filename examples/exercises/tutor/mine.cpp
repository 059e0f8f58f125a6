#include "examples/exercises/tutor/mine.h"

#include <fmt/format.h>

#include "core/check.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/in_place/seams.h"
#include "examples/exercises/tutor/check.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"

namespace gradus::exercises {
namespace {

constexpr int kSteps = 200;
using examples::say;

// The first function of an answer that is not right, or the last.
std::string judged(const Exercise& exercise, const std::string& library, std::size_t answer) {
  std::string line;
  for (std::size_t s = 0; s < exercise.stages.size(); ++s) {
    const Verdict v = verdict(exercise.stages[s], run_apart(library, exercise, s, answer));
    line = fmt::format("{}\t{}\t{}\n", word(v.kind), exercise.stages[s].function, v.sentence);
    if (v.kind != Kind::pass && v.kind != Kind::convention) break;
  }
  return line;
}

// Says whether both are the same, or what differs first.
int told(const InPlace& result) {
  const std::vector<double>&mine = result.mine.losses, &library = result.library.losses;
  for (const std::string& remark : result.mine.remarks) say("  " + examples::printable(remark) + "\n");
  if (result.same) {
    say(library.empty() ? "✓ as it should be\n" : fmt::format("✓ the library's gives the same in every step, to a millionth; both end with {:.6f}\n", library.back()));
    return 0;
  }
  say(fmt::format("✗ {} differs first from {}\n", result.first, library.empty() ? "what it should be" : "the library's"));
  if (!library.empty()) say(fmt::format("  the loss ends with {:.6f}, the library's with {:.6f}\n", mine.back(), library.back()));
  return 1;
}

}  // namespace

int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured) {
  check<ValueError>(has_place(exercise.id), "mine: '{}' has no place in a model", exercise.id);
  const Checked checked = check_answer(exercise, file, coloured);
  if (!checked.passed) {
    say(checked.text + "\nIn a model it is put once it passes.\n");
    return 1;
  }
  const Compiled compiled = compile(exercise, file);
  const Functions* functions = functions_in(compiled.library.string());
  check<ValueError>(functions != nullptr, "mine: {} cannot be loaded", compiled.library.string());
  say(fmt::format("{} in {}\n", exercise.id, place_of(exercise.id)));
  return told(in_place(exercise.id, *functions, kSteps, [](int step, double loss) {
    if (step == 1 || step % 50 == 0) say(fmt::format("  step {:3}  {:.6f} nats with yours\n", step, loss));
  }));
}

int judge_answers(const Exercise& exercise, const std::string& library) {
  const Functions* functions = functions_in(library);
  check<ValueError>(functions != nullptr, "answers: {} cannot be loaded", library);
  for (std::size_t answer = 0; answer < functions->size() / exercise.stages.size(); ++answer) say(judged(exercise, library, answer));
  return 0;
}

}  // namespace gradus::exercises
