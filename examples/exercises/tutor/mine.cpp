#include "examples/exercises/tutor/mine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <vector>

#include "core/check.h"
#include "examples/exercises/grader/agree.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/in_place/chapters.h"
#include "examples/exercises/in_place/gpt.h"
#include "examples/exercises/in_place/prizes.h"
#include "examples/exercises/tutor/check.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"
#include "examples/shared/report/words.h"

namespace gradus::exercises {
namespace {

constexpr int kSteps = 300, kWritten = 200;
constexpr unsigned kPatience = 60, kPatienceToTrain = 900;  // seconds
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
    say((checked.asked.empty() ? checked.text : checked.asked) + "\nIt is tried there once it passes.\n");
    return 1;
  }
  const Compiled compiled = compile(exercise, file);
  const Functions* functions = functions_in(compiled.library.string());
  check<ValueError>(functions != nullptr, "mine: {} cannot be loaded", compiled.library.string());
  return f(*functions, checked.conventions);
}

// --- all that has passed ---------------------------------------------------------------------------------------------------------

// What `work` says, in a process of its own, where a function may crash, throw or not end: then that is what is said.
std::string said_apart(unsigned seconds, const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  check<IoError>(::pipe(ends.data()) == 0, "no pipe could be made");
  const pid_t process = ::fork();
  check<IoError>(process >= 0, "no process could be started");
  if (process == 0) {
    ::alarm(seconds);
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = fmt::format("it threw: {}", error.what());
    } catch (...) {
      text = "it ended with no result";
    }
    const bool written = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> some{};
  for (ssize_t n = 0; (n = ::read(ends[0], some.data(), some.size())) > 0;) text.append(some.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(process, &status, 0);
  if (!WIFSIGNALED(status)) return text;
  if (WTERMSIG(status) == SIGALRM) return fmt::format("it did not end within {} s", seconds);
  return fmt::format("it crashed: {}", ::strsignal(WTERMSIG(status)));
}

// An exercise as it stands now: its functions, if they pass; and if they cannot stand in the GPT, why.
struct Standing {
  bool passed = false;
  Functions functions;
  std::string trouble;
};

Standing standing(const Exercise& exercise, const Folder& folder, bool passed_before, bool in_gpt) {
  if (!folder.has(exercise)) return {};
  const Checked checked = check_answer(exercise, folder.file_of(exercise), false);
  if (!checked.passed) {
    if (checked.kind == Kind::not_written && !passed_before) return {};
    const char* const when = passed_before ? "it passed before, and does not now" : "it does not pass yet";
    return {false, {}, fmt::format("{}: {}", when, word(checked.kind))};
  }
  Standing one{true, {}, ""};
  if (!in_gpt) return one;
  const Compiled compiled = compile(exercise, folder.file_of(exercise));
  const Functions* functions = functions_in(compiled.library.string());
  check<ValueError>(functions != nullptr, "mine: {} cannot be loaded", compiled.library.string());
  const std::string unlike = said_apart(kPatience, [&] { return first_unlike_library(exercise.id, *functions); });
  if (unlike.empty()) {
    one.functions = *functions;
  } else {
    one.trouble = fmt::format("by itself it differs from the library's: {}", unlike);
    for (const std::string& convention : checked.conventions) one.trouble += fmt::format(". By your convention: {}", convention);
  }
  return one;
}

// Trains both, and says how they learn, how they compare, and what yours writes.
std::string trained_and_told(const Answers& mine) {
  say("\nThe library's GPT learns: ");
  const Trained library = train_gpt({}, kSteps, kWritten, [](int step, double) {
    if (step % 10 == 0) say(".");
  });
  say("\n\n  step      yours  the library's\n");
  const Trained yours = train_gpt(mine, kSteps, kWritten, [&](int step, double loss) {
    if (step % 30 == 0) say(fmt::format("  {:4} {:10.6f} {:14.6f}\n", step, loss, library.losses[static_cast<std::size_t>(step - 1)]));
  });
  const std::string unlike = first_unlike(yours, library);
  say(unlike.empty() ? "\n✓ the same in every step, to a millionth\n"
                     : fmt::format("\n✗ together they differ from the library's; first in {}\n", unlike));
  say(fmt::format("\nIt writes:\n\n{}\n", examples::printable(yours.text)));
  return "";
}

// A line of the table of parts, and what is wrong below it.
void tell_part(const PartOf& part, const Standing& one, bool yours) {
  const std::string words = part.in_gpt ? part.part : "not in a GPT: " + part.part;
  say(fmt::format("  {} {:<20} {}\n", yours ? "✓" : one.trouble.empty() ? "·" : "✗", part.id, words));
  if (!one.trouble.empty()) say(examples::folded(one.trouble, 78, "      "));
}

}  // namespace

int mine_all(const Folder& folder, const State& state) {
  examples::when_stopped_say("\nStopped. Your files are as they were.\n");
  say("A GPT of two blocks, of all that passes now (✓), and of the library's:\n\n");
  Answers mine;
  std::size_t elsewhere = 0, seats = 0;
  for (const PartOf& part : parts_of_models()) {
    const Exercise& one = exercise(part.id);
    const Standing now = standing(one, folder, !state.of(one).passed.empty(), part.in_gpt);
    const bool yours = now.passed && now.trouble.empty();
    if (yours && part.in_gpt) mine[part.id] = now.functions;
    elsewhere += yours && !part.in_gpt ? 1 : 0;
    seats += part.in_gpt ? 1 : 0;
    tell_part(part, now, yours);
  }
  say(fmt::format("\n{} of {} parts are yours: {} of the {} of this GPT, {} of other models.\n", mine.size() + elsewhere,
                  parts_of_models().size(), mine.size(), seats, elsewhere));
  if (mine.empty()) return say("Nothing of the GPT has passed yet: ./examples/run exercises shows what comes next.\n"), 1;
  const std::string trouble = said_apart(kPatienceToTrain, [&] { return trained_and_told(mine); });
  if (!trouble.empty()) say(fmt::format("\n✗ {}\n", trouble));
  return trouble.empty() ? 0 : 1;
}

int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured) {
  return with_passed(exercise, file, coloured, [&](const Functions& functions, const std::vector<std::string>& conventions) {
    say(prize(exercise.id, functions));
    tell_causes(conventions);
    say(fmt::format("\nIts part in a model: {}.\n", part_of(exercise.id)));
    return 0;
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
