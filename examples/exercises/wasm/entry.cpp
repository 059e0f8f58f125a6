// What the page calls: JSON and screens come out, with the terminal's colours.
#include <fmt/ranges.h>

#include "examples/exercises/grader/agree.h"
#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/grader/screens.h"
#include "examples/exercises/grader/source.h"
#include "examples/exercises/wasm/bridge.h"
#include "examples/exercises/wasm/lessons.h"
#include "examples/shared/widgets/seen.h"

// The page's: the result is an Ending. What was returned is then in slots[count].
extern "C" [[clang::import_module("page"), clang::import_name("call")]] int call_student(int number, gradus::exercises::Slot* slots,
                                                                                         int count);

namespace gradus::exercises {
namespace {

Ended ended_as(Ending how) {
  switch (how) {
    case Ending::out_of_memory: return {Run::End::out_of_memory, "64 MB"};
    case Ending::recursion: return {Run::End::endless_recursion};
    case Ending::outside: return {Run::End::crashed, "a read or write outside of memory"};
    case Ending::division: return {Run::End::divided, "a division of a whole number by 0"};
    case Ending::exited: return {Run::End::exited};
    default:
      return {Run::End::crashed, "an index outside of an array, a failed assert or abort(), or the end of a function that returns nothing"};
  }
}

// The text lives until the next one is given.
const char* given(std::string text) {
  static std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

template <typename F> const char* answer(const F& f) {
  try {
    return given(f().text());
  } catch (const std::exception& error) {
    return given(widgets::Seen().add("error", error.what()).text());
  }
}

widgets::Seen seen(const Exercise& one, std::size_t stage, const Verdict& verdict, const std::string& passed) {
  widgets::Seen seen;
  seen.add("passes", passes(verdict)).add("at", static_cast<int>(stage));
  if (has_name(verdict)) {  // asked first, and named when the reader wants it
    seen.add("mistake", fmt::format("{}", fmt::join(verdict.ids, " "))).add("named", failed_screen(one, stage, verdict, passed, true));
  }
  if (!passes(verdict)) return seen.add("screen", failed_screen(one, stage, verdict, passed, true, false));
  const std::string lines = passed + passed_line(one, stage, verdict, true);
  seen.add("passed", lines);
  if (stage + 1 == one.stages.size()) seen.add("screen", passed_screen(one, lines, true));
  return seen;
}

const char* ended(const char* id, int stage, const char* passed, const Ended& how) {
  return answer([&] {
    const Exercise& one = exercise(id);
    const auto s = static_cast<std::size_t>(stage);
    Run run;
    run.end = how.end;
    run.detail = how.detail;
    return seen(one, s, verdict(one.stages.at(s), run), passed);
  });
}

}  // namespace

double call_in_page(int function, const Slot* slots, int count) {
  std::vector<Slot> sent(slots, slots + count);
  sent.emplace_back();
  const auto how = static_cast<Ending>(call_student(function, sent.data(), count));
  if (how == Ending::not_written) throw NotWritten{};
  if (how != Ending::returned) throw ended_as(how);
  return sent.back().number;
}

extern "C" {

// What an exercise is: its file, what makes a module of that, its functions with their hints.
[[clang::export_name("about")]] const char* about(const char* id) {
  return answer([&] {
    const Exercise& one = exercise(id);
    std::vector<widgets::Seen> functions;
    for (const Stage& stage : one.stages) functions.push_back(widgets::Seen().add("name", stage.function).add("hints", stage.hints));
    return widgets::Seen().add("file", file_of(one)).add("driver", driver(lesson(id))).add("functions", functions);
  });
}

// The screen for what the compiler said.
[[clang::export_name("does_not_compile")]] const char* does_not_compile(const char* id, const char* output) {
  return answer([&] {
    const Exercise& one = exercise(id);
    return widgets::Seen().add("screen", error_screen(one, first_error(one, output, "/" + file_of(one)), true));
  });
}

// The verdict on a function of the student's module, which is run. `passed` are the lines of those before it.
[[clang::export_name("judge")]] const char* judge(const char* id, int stage, const char* passed) {
  return answer([&] {
    const Exercise& one = exercise(id);
    const auto s = static_cast<std::size_t>(stage);
    static std::vector<Verdict> verdicts;  // on the functions of one answer so far, which have to agree
    verdicts.resize(s);
    verdicts.push_back(verdict(one.stages.at(s), run_here(lesson(id).functions.at(s), one.stages[s].probes)));
    const auto differ = passes(verdicts.back()) ? disagreement(one, verdicts) : std::nullopt;
    return seen(one, s, differ ? *differ : verdicts.back(), passed);
  });
}

// The same of one that did not come to an end, for so long: "2 seconds".
[[clang::export_name("hung")]] const char* hung(const char* id, int stage, const char* passed, const char* after) {
  return ended(id, stage, passed, {Run::End::hung, after});
}

// The same of one that has ended so, where the answer is in this module: an Ending.
[[clang::export_name("trapped")]] const char* trapped(const char* id, int stage, const char* passed, int how) {
  return ended(id, stage, passed, ended_as(static_cast<Ending>(how)));
}

// The same of a file that uses what is defined nowhere.
[[clang::export_name("not_linked")]] const char* not_linked(const char* id, const char* name) {
  return ended(id, 0, "", {Run::End::not_loaded, name});
}

[[clang::export_name("printed")]] const char* printed(const char* text) { return given(printed_text(text)); }

}  // extern "C"

}  // namespace gradus::exercises
