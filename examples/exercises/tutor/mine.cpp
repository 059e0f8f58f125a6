#include "examples/exercises/tutor/mine.h"

#include <fmt/format.h>

#include "core/check.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/in_place/seams.h"
#include "examples/exercises/tutor/check.h"
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

}  // namespace

int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured) {
  check<ValueError>(has_place(exercise.id), "mine: '{}' has no place in the language model", exercise.id);
  const Checked checked = check_answer(exercise, file, coloured);
  if (!checked.passed) {
    say(checked.text + "\nIn the language model it is put once it passes.\n");
    return 1;
  }
  const Compiled compiled = compile(exercise, file);
  const Functions* functions = functions_in(compiled.library.string());
  check<ValueError>(functions != nullptr, "mine: {} cannot be loaded", compiled.library.string());
  say(fmt::format("{} in a language model of two blocks, {} steps: the loss in nats\n", exercise.id, kSteps));
  const InPlace result = in_place(exercise.id, *functions, kSteps, [](int step, double loss) {
    if (step == 1 || step % 50 == 0) say(fmt::format("  step {:3}  {:.6f} with yours\n", step, loss));
  });
  if (result.same) {
    say(fmt::format("✓ the library's ends with {:.6f}, and every loss on the way is the same to a millionth\n", result.library));
    return 0;
  }
  say(fmt::format("✗ in step {} the loss is {:.9g}, the library's {:.9g}\n", result.step, result.mine, result.library));
  if (!result.first.empty()) say(fmt::format("  What differs first, in step 1: {}.\n", result.first));
  return 1;
}

int judge_answers(const Exercise& exercise, const std::string& library) {
  const Functions* functions = functions_in(library);
  check<ValueError>(functions != nullptr, "answers: {} cannot be loaded", library);
  for (std::size_t answer = 0; answer < functions->size() / exercise.stages.size(); ++answer) say(judged(exercise, library, answer));
  return 0;
}

}  // namespace gradus::exercises
