#include "examples/exercises/tutor/check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/check.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"
#include "examples/shared/report/printable.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kPrintedLines = 4, kPrintedColumns = 100;

// The first lines of what an answer printed; "" if it printed nothing.
std::string printed_text(const std::string& printed) {
  if (printed.empty()) return "";
  std::istringstream lines(examples::printable(printed));
  std::string text = "\n  It printed:\n", line;
  std::size_t count = 0;
  while (count < kPrintedLines && std::getline(lines, line)) {
    std::size_t end = std::min(line.size(), kPrintedColumns);
    while (end < line.size() && end > 0 && (line[end] & '\xc0') == '\x80') --end;  // no character in parts
    text += "    " + line.substr(0, end) + (end < line.size() ? "…" : "") + "\n";
    ++count;
  }
  return text + (std::getline(lines, line) ? "    …\n" : "");
}

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) all += "    " + line + "\n";
  return all;
}

std::string as_json(const Exercise& exercise, std::size_t stage, const Verdict& verdict, const std::string& printed) {
  json object = json::parse(as_json(exercise, stage, verdict));
  object["section"] = "docs/" + exercise.section;
  object["function_number"] = stage + 1;
  object["functions"] = exercise.stages.size();
  object["printed"] = printed;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Checked does_not_compile(const Exercise& exercise, const std::string& error, bool coloured) {
  const Verdict verdict{Kind::does_not_compile, "It does not compile:", "", {}};
  Checked checked{false, verdict.kind, screen(exercise, 0, verdict, coloured) + indented(examples::printable(error)), ""};
  checked.json = as_json(exercise, 0, {verdict.kind, error, "", {}}, "");
  return checked;
}

// A line for each of the first functions, which have passed.
std::string passed_lines(const Exercise& exercise, const std::vector<Verdict>& verdicts, bool coloured) {
  std::string text;
  for (std::size_t s = 0; s < verdicts.size(); ++s) {
    const Stage& stage = exercise.stages[s];
    const std::string how = verdicts[s].kind == Kind::pass ? fmt::format("right on {} probes, to nine digits", stage.probes.size())
                                                           : verdicts[s].sentence;
    text += fmt::format("{}✓{} {}: {}\n", coloured ? "\x1b[32m" : "", coloured ? "\x1b[0m" : "", stage.function, how);
  }
  return text;
}

// The grader's screen of the function that failed, with the ones before it below its title.
std::string failed_text(const Exercise& exercise, const std::vector<Verdict>& before, const Verdict& verdict, bool coloured) {
  std::string text = screen(exercise, before.size(), verdict, coloured);
  return text.insert(text.find("\n\n") + 2, passed_lines(exercise, before, coloured));
}

std::string passed_text(const Exercise& exercise, const std::vector<Verdict>& verdicts, bool coloured) {
  return fmt::format("{}{} {}{}\n\n{}\n{}\n", coloured ? "\x1b[1m" : "", exercise.number, exercise.title, coloured ? "\x1b[0m" : "",
                     passed_lines(exercise, verdicts, coloured), exercise.done);
}

}  // namespace

Checked check_answer(const Exercise& exercise, const fs::path& file, bool coloured) {
  std::error_code error;
  check<ValueError>(fs::is_regular_file(file, error), "{}: {}", file.string(),
                    fs::exists(file, error) ? "this is no file" : "there is no such file");
  const Compiled compiled = compile(exercise, file);
  if (!compiled.error.empty()) return does_not_compile(exercise, compiled.error, coloured);
  std::vector<Verdict> verdicts;
  std::string printed;
  for (std::size_t s = 0; s < exercise.stages.size(); ++s) {
    Verdict one{Kind::failed, compiled.refused, "", {}};
    if (compiled.refused.empty()) {
      const Run run = run_apart(compiled.library.string(), exercise, s);
      one = verdict(exercise.stages[s], run);
      if (!run.printed.empty()) printed = run.printed;  // else what a function before it printed
    }
    if (one.kind != Kind::pass && one.kind != Kind::convention) {
      return {false, one.kind, failed_text(exercise, verdicts, one, coloured) + printed_text(printed), as_json(exercise, s, one, printed)};
    }
    verdicts.push_back(one);
  }
  const Verdict& last = verdicts.back();
  return {true, last.kind, passed_text(exercise, verdicts, coloured) + printed_text(printed),
          as_json(exercise, verdicts.size() - 1, last, printed)};
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
      result = {{"passed", checked.passed}, {"kind", static_cast<int>(checked.kind)}, {"text", checked.text}, {"json", checked.json}};
    } catch (const std::exception& error) {
      result = {{"passed", false}, {"kind", static_cast<int>(Kind::failed)}, {"text", std::string(error.what()) + "\n"}, {"json", ""}};
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
    result_ = {result["passed"], static_cast<Kind>(result["kind"].get<int>()), result["text"], result["json"]};
  } else {
    result_ = {false, Kind::failed, "The check was stopped from outside. Save the file again to repeat it.\n", ""};
  }
}

}  // namespace gradus::exercises
