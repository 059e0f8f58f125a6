#include "examples/exercises/tutor/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/check.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/in_place/chapters.h"
#include "examples/exercises/in_place/gpt.h"
#include "examples/exercises/registry.h"
#include "examples/exercises/tutor/check.h"
#include "examples/exercises/tutor/mine.h"
#include "examples/shared/report/program.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using examples::say;

constexpr const char* kRun = "./examples/run exercises";

// What could not be noted, on the standard error.
int with_trouble(State& state, int status) {
  const std::string trouble = state.trouble();
  if (!trouble.empty()) examples::complain("exercises", trouble, status);
  return status;
}

// Is it the student's own file of this exercise? Only that counts.
bool is_own(const fs::path& file, const Folder& folder, const Exercise& exercise) {
  std::error_code error;
  return fs::equivalent(file, folder.file_of(exercise), error);
}

std::string path_and_section(const Exercise& exercise, const fs::path& file) {
  return fmt::format("{} · docs/{} · {} min\n", typed(file), exercise.section, exercise.minutes);
}

bool is_missing(const Exercise& exercise, const Options& options, const Folder& folder) {
  if (!options.file.empty() || folder.has(exercise)) return false;
  say(fmt::format("{} is not there yet: {} new {} puts it there.\n", typed(folder.file_of(exercise)), kRun, exercise.id));
  return true;
}

// What names the same check on the command line.
std::string typed_words(const Options& options, const Exercise& exercise) {
  return options.file.empty() ? exercise.id : fmt::format("{} {}", exercise.id, options.file);
}

int check_one(const Exercise& exercise, const Options& options, const Folder& folder, State& state, bool coloured) {
  const fs::path file = options.file.empty() ? folder.file_of(exercise) : fs::path(options.file);
  if (is_missing(exercise, options, folder)) return 1;
  const bool before = !state.of(exercise).passed.empty();
  const Checked checked = check_answer(exercise, file, coloured && !options.json);
  const bool own = is_own(file, folder, exercise);
  const bool again = own && note(exercise, checked, state);
  if (options.json) {
    say(checked.json + "\n");
    return checked.passed ? 0 : 1;
  }
  if (options.command.empty()) say(progress_bar(state, 40) + "\n" + path_and_section(exercise, file) + "\n");
  const bool named = checked.asked.empty() || options.name || again;
  say(named ? checked.text : fmt::format("{}\n  What is it? {} check {} --name\n", checked.asked, kRun, typed_words(options, exercise)));
  if (checked.passed && (own || before)) say("\n" + what_follows(exercise, state));
  if (checked.passed && !own) say(fmt::format("\nIt is not noted, as only {} counts.\n", typed(folder.file_of(exercise))));
  if (checked.kind == Kind::not_written) say(fmt::format("\n  {} hint {} has a first hint.\n", kRun, exercise.id));
  return checked.passed ? 0 : 1;
}

int check_all(const Options& options, const Folder& folder, State& state) {
  bool all = true;
  for (const Exercise& one : all_exercises()) {
    if (!folder.has(one)) continue;
    const Checked checked = check_answer(one, folder.file_of(one), false);
    note(one, checked, state);
    all = all && checked.passed;
    const std::string line = fmt::format("{} {:2} {}", checked.passed ? "✓" : "✗", one.number, one.id);
    say((options.json ? checked.json : checked.passed ? line : line + ": " + word(checked.kind)) + "\n");
  }
  if (!options.json) say(progress_bar(state, 40) + "\n");
  return all ? 0 : 1;
}

std::string all_passed() { return fmt::format("All have passed. A GPT made of them: {} mine all\n", kRun); }

int list(const Folder& folder, const State& state) {
  std::string text = progress_bar(state, 40) + "\n\n";
  const Exercise& current = current_of(state);
  for (const Exercise& one : all_exercises()) text += list_line(one, folder, state, &one == &current) + "\n";
  const Exercise* next = next_open(state);
  say(text + "\n" + (next == nullptr ? all_passed() : fmt::format("Next: {} {}\n{}", next->number, next->id, on_the_way(*next))));
  return 0;
}

int begin(const Exercise& exercise, const Folder& folder, State& state) {
  const std::string file = typed(folder.file_of(exercise));
  if (!folder.begin(exercise)) {
    say(fmt::format("{} is there already, and stays as it is. {} reset {} puts it there anew, and keeps yours.\n", file, kRun,
                    exercise.id));
    return 1;
  }
  state.stand_at(exercise);
  say(fmt::format("{}: {} ({} min). The section is docs/{}{}.\n", file, exercise.title, exercise.minutes, exercise.section,
                  see_also(exercise)));
  const std::vector<std::string> missing = missing_for(exercise, state);
  if (!missing.empty()) say(fmt::format("It builds on {}, not passed yet.\n", fmt::join(missing, " and ")));
  say(fmt::format("In a terminal, {} checks it at each save.\n", kRun));
  return 0;
}

// The hints for the function that the student has come to, one more than last time.
int hint(const Exercise& exercise, State& state) {
  const Stage& stage = exercise.stages[stage_of(exercise, state)];
  const int rung = std::min(state.of(exercise).hints[stage.function] + 1, static_cast<int>(stage.hints.size()));
  state.use_hint(exercise, stage, rung);
  if (exercise.stages.size() > 1) say(stage.function + "\n");
  for (int i = 0; i < rung; ++i) say(fmt::format("{} of {}  {}\n", i + 1, stage.hints.size(), stage.hints[static_cast<std::size_t>(i)]));
  say(fmt::format("The section: docs/{}{}\n", exercise.section, see_also(exercise)));
  return 0;
}

int reset(const Exercise& exercise, const Folder& folder) {
  const std::string aside = folder.begin_anew(exercise), file = typed(folder.file_of(exercise));
  say(aside.empty() ? fmt::format("{} is there as it was given.\n", file)
                    : fmt::format("{} is there as it was given; yours is kept as {}.\n", file, aside));
  return 0;
}

int solution(const Exercise& exercise, const State& state) {
  if (state.of(exercise).passed.empty()) {
    say(fmt::format("It is shown once yours has passed. {} hint {} helps until then.\n", kRun, exercise.id));
    return 1;
  }
  say(solution_of(exercise));
  return 0;
}

// What there is to show.
int list_mine(const State& state) {
  for (const PartOf& one : parts_of_models()) {
    say(fmt::format("{} {:<20} {}\n", state.of(exercise(one.id)).passed.empty() ? "·" : "✓", one.id, one.part));
  }
  say(fmt::format("\n{} mine ID shows what yours does, once it has passed (✓);\n{} mine all makes a GPT of all that has.\n", kRun, kRun));
  return 0;
}

int mine_of(const Exercise& exercise, const Options& options, const Folder& folder, bool coloured) {
  if (!options.chapter.empty()) check_asked_in(options.chapter, exercise.id);
  if (is_missing(exercise, options, folder)) return 1;
  const fs::path file = options.file.empty() ? folder.file_of(exercise) : fs::path(options.file);
  return options.chapter.empty() ? mine(exercise, file, coloured) : mine_in(options.chapter, exercise, file, coloured);
}

}  // namespace

bool note(const Exercise& exercise, const Checked& checked, State& state) {
  const State::One before = state.of(exercise);
  const Stage& stage = exercise.stages[checked.stage];
  if (checked.passed) {
    state.pass(exercise);
  } else if (checked.kind != Kind::does_not_compile) {
    state.come_to(exercise, stage, checked.mistake);
  }
  return !checked.mistake.empty() && before.function == stage.function && before.mistake == checked.mistake;
}

std::string progress_bar(const State& state, std::size_t columns) {
  const std::size_t all = all_exercises().size(), passed = state.passed();
  const std::size_t cells = std::max<std::size_t>(std::min(columns, std::max<std::size_t>(all, 20)), 1), filled = passed * cells / all;
  std::string bar = fmt::format("{}/{} ", passed, all);
  for (std::size_t i = 0; i < cells; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

std::string see_also(const Exercise& exercise) {
  return exercise.also.empty() ? "" : fmt::format("; see also docs/{}", fmt::join(exercise.also, ", docs/"));
}

std::string list_line(const Exercise& exercise, const Folder& folder, const State& state, bool is_current, const std::string& remark) {
  const State::One one = state.of(exercise);
  const char* sign = !one.passed.empty() ? "✓" : folder.has(exercise) ? "…" : "·";
  const std::string when = one.passed.empty() ? fmt::format("{} min", exercise.minutes) : one.passed;
  std::vector<std::string> also;
  if (!remark.empty()) also.push_back(remark);
  if (const int hints = one.hints_in_all(); hints > 0) also.push_back(fmt::format("{} hint{}", hints, hints == 1 ? "" : "s"));
  const std::vector<std::string> missing = missing_for(exercise, state);
  if (one.passed.empty() && !missing.empty()) also.push_back(fmt::format("after {}", fmt::join(missing, ", ")));
  return fmt::format("{}{} {:2}  {:<20} {:<10}  {}{}", is_current ? "▸" : " ", sign, exercise.number, exercise.id, when,
                     also.empty() ? "" : fmt::format("({}) ", fmt::join(also, ", ")), exercise.title);
}

std::string what_follows(const Exercise& exercise, const State& state) {
  std::string text = fmt::format("To compare: {} solution {} shows how the project writes it.\n", kRun, exercise.id);
  text += fmt::format("What yours does: {} mine {}; a GPT of all that has passed: mine all\n", kRun, exercise.id);
  const Exercise* next = next_open(state, &exercise);
  if (next == nullptr) return text + all_passed();
  return text + fmt::format("Next: {} {} ({} min), {}: {} new {}\n", next->number, next->id, next->minutes, next->title, kRun, next->id) +
         on_the_way(*next);
}

int carry_out(const Options& options, bool coloured) {
  if (options.command == "registry") return say(registry()), 0;
  if (options.command == "answers") return judge_answers(exercise_called(options.id), options.file);
  const Folder folder;
  State state(folder.path());
  const std::string& command = options.command;
  if (command == "list") return with_trouble(state, list(folder, state));
  if (command == "check" && options.id == "all") return with_trouble(state, check_all(options, folder, state));
  if (command == "mine" && options.chapter.empty() && options.id.empty()) return list_mine(state);
  if (command == "mine" && options.chapter.empty() && options.id == "all") return mine_all(folder, state);
  Options checked = options;
  const bool by_path = options.id.find('/') != std::string::npos && options.file.empty();
  if (command == "check" && by_path) checked.file = options.id;
  const Exercise& exercise = options.id.empty() ? current_of(state) : exercise_called(options.id);
  if (command == "new") return with_trouble(state, begin(exercise, folder, state));
  if (command == "hint") return with_trouble(state, hint(exercise, state));
  if (command == "reset") return with_trouble(state, reset(exercise, folder));
  if (command == "solution") return with_trouble(state, solution(exercise, state));
  if (command == "mine") return mine_of(exercise, options, folder, coloured);
  return with_trouble(state, check_one(exercise, checked, folder, state, coloured));
}

}  // namespace gradus::exercises
