#include "examples/exercises/tutor/check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/exercises/grader/agree.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/exercises/grader/screens.h"
#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// `passed` are the verdicts on the functions before this one, and on it, if it passed.
std::string as_json(const Exercise& exercise, std::size_t stage, const Verdict& verdict, const std::string& printed,
                    const std::vector<Verdict>& passed = {}) {
  json object = json::parse(as_json(exercise, stage, verdict));
  object["section"] = "docs/" + exercise.section;
  object["function_number"] = stage + 1;
  object["functions"] = exercise.stages.size();
  object["printed"] = printed;
  object["passed"] = json::array();
  for (std::size_t s = 0; s < passed.size(); ++s) {
    object["passed"].push_back({{"function", exercise.stages[s].function}, {"ids", passed[s].ids}, {"message", passed[s].sentence}});
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Checked does_not_compile(const Exercise& exercise, const std::string& error, bool coloured) {
  return {false, Kind::does_not_compile, 0, error_screen(exercise, error, coloured),
          as_json(exercise, 0, {Kind::does_not_compile, error, "", {}}, "")};
}

std::vector<std::string> conventions_of(const Exercise& exercise, const std::vector<Verdict>& verdicts) {
  std::map<std::string, std::vector<std::string>> functions;  // by what their convention is
  for (std::size_t s = 0; s < verdicts.size(); ++s) {
    for (const std::string& id : verdicts[s].ids) functions[published_as(id).line].push_back(exercise.stages[s].function);
  }
  std::vector<std::string> all;
  for (const auto& [line, names] : functions) all.push_back(fmt::format("{}: {}", fmt::join(names, " and "), line));
  return all;
}

}  // namespace

Checked check_answer(const Exercise& exercise, const fs::path& file, bool coloured) {
  std::error_code error;
  check<ValueError>(fs::is_regular_file(file, error), "{}: {}", file.string(),
                    fs::exists(file, error) ? "this is no file" : "there is no such file");
  const Compiled compiled = compile(exercise, file);
  if (!compiled.error.empty()) return does_not_compile(exercise, compiled.error, coloured);
  Verdict last;
  std::vector<Verdict> verdicts;
  std::string printed, passed;
  for (std::size_t s = 0; s < exercise.stages.size(); ++s) {
    last = {Kind::failed, compiled.refused, "", {}};
    if (compiled.refused.empty()) {
      const Run run = run_apart(compiled.library.string(), exercise, s);
      last = verdict(exercise.stages[s], run);
      if (last.kind == Kind::failed && !compiled.warning.empty()) last.question = "What does the compiler say of your lines, above?";
      if (!run.printed.empty()) printed = run.printed;  // else what a function before it printed
    }
    if (passes(last)) {
      verdicts.push_back(last);
      const auto differ = disagreement(exercise, verdicts);
      if (!differ) {
        passed += passed_line(exercise, s, last, coloured);
        continue;
      }
      last = *differ;
    }
    passed.insert(0, warning_text(compiled.warning));
    Checked checked{false, last.kind, s, failed_screen(exercise, s, last, passed, coloured) + printed_text(printed),
                    as_json(exercise, s, last, printed, verdicts)};
    if (has_name(last)) {
      checked.asked = failed_screen(exercise, s, last, passed, coloured, false) + printed_text(printed);
      checked.mistake = fmt::format("{}", fmt::join(last.ids, " "));
    }
    return checked;
  }
  const std::size_t s = exercise.stages.size() - 1;
  return {true,
          last.kind,
          s,
          passed_screen(exercise, passed, coloured) + printed_text(printed),
          as_json(exercise, s, last, printed, verdicts),
          conventions_of(exercise, verdicts)};
}

CheckBeside::CheckBeside(const Exercise& exercise, const fs::path& file, bool coloured) {
  int ends[2];
  check<IoError>(::pipe2(ends, O_CLOEXEC) == 0, "no pipe could be made");
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);  // Ctrl-C is for the tutor
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH}) ::signal(signal, SIG_DFL);
    json result;
    try {
      const Checked checked = check_answer(exercise, file, coloured);
      result = {{"passed", checked.passed},  {"kind", static_cast<int>(checked.kind)},
                {"stage", checked.stage},    {"text", checked.text},
                {"json", checked.json},      {"asked", checked.asked},
                {"mistake", checked.mistake}};
    } catch (const std::exception& error) {
      result = {{"passed", false}, {"kind", static_cast<int>(Kind::failed)},
                {"stage", 0},      {"text", std::string(error.what()) + "\n"},
                {"json", ""},      {"asked", ""},
                {"mistake", ""}};
    }
    const std::string bytes = result.dump(-1, ' ', false, json::error_handler_t::replace);
    [[maybe_unused]] const ssize_t written = ::write(ends[1], bytes.data(), bytes.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  pipe_ = ends[0];
  check<IoError>(process_ > 0, "no process could be started");
}

CheckBeside::~CheckBeside() {
  ::close(pipe_);
  if (process_ <= 0) return;
  ::killpg(process_, SIGKILL);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool CheckBeside::ended() {
  pollfd input{pipe_, POLLIN, 0};
  while (process_ > 0 && ::poll(&input, 1, 0) == 1) {
    char buffer[4096];
    const ssize_t n = ::read(pipe_, buffer, sizeof buffer);
    if (n > 0) {
      bytes_.append(buffer, static_cast<std::size_t>(n));
    } else {
      read_result();
    }
  }
  return process_ <= 0;
}

void CheckBeside::read_result() {
  ::waitpid(process_, nullptr, 0);
  process_ = 0;
  const json result = json::parse(bytes_, nullptr, false);
  if (result.is_object()) {
    result_ = {result["passed"], static_cast<Kind>(result["kind"].get<int>()),
               result["stage"],  result["text"],
               result["json"],   {},
               result["asked"],  result["mistake"]};
  } else {
    result_ = {false, Kind::failed, 0, "The check was stopped from outside. Save the file again to repeat it.\n", "", {}};
  }
}

}  // namespace gradus::exercises
