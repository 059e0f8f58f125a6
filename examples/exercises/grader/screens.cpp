#include "examples/exercises/grader/screens.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/source.h"
#include "examples/shared/report/printable.h"

namespace gradus::exercises {
namespace {

constexpr std::size_t kPrintedLines = 4, kPrintedColumns = 100;

// Its sentences may be wrapped where they are too long, its lines of code not: they are indented further.
std::string by_compiler(const std::string& said) {
  std::string text;
  for (const std::string& line : lines_of(examples::printable(said))) {
    const bool is_sentence = line.find("error: ") != std::string::npos || line.find("warning: ") != std::string::npos;
    text += (is_sentence ? "  " : "    ") + line + "\n";
  }
  return text;
}

}  // namespace

std::string passed_line(const Exercise& exercise, std::size_t stage, const Verdict& verdict, bool coloured) {
  const Stage& one = exercise.stages[stage];
  const std::string how =
      verdict.kind == Kind::pass ? fmt::format("right on {} probes, to nine digits", one.probes.size()) : verdict.sentence;
  return fmt::format("{}✓{} {}: {}\n", coloured ? "\x1b[32m" : "", coloured ? "\x1b[0m" : "", one.function, how);
}

std::string failed_screen(const Exercise& exercise, std::size_t stage, const Verdict& verdict, const std::string& passed, bool coloured,
                          bool named) {
  std::string text = screen(exercise, stage, verdict, coloured, named);
  return text.insert(text.find("\n\n") + 2, passed);
}

std::string passed_screen(const Exercise& exercise, const std::string& passed, bool coloured) {
  return fmt::format("{}{} {}{}\n\n{}\n{}\n", coloured ? "\x1b[1m" : "", exercise.number, exercise.title, coloured ? "\x1b[0m" : "", passed,
                     exercise.done);
}

std::string error_screen(const Exercise& exercise, const std::string& error, bool coloured) {
  return screen(exercise, 0, {Kind::does_not_compile, "It does not compile:"}, coloured) + by_compiler(error);
}

std::string warning_text(const std::string& warning) {
  return warning.empty() ? "" : "The compiler warns:\n" + by_compiler(warning) + "\n";
}

std::string printed_text(const std::string& printed) {
  if (printed.empty()) return "";
  const std::vector<std::string> lines = lines_of(examples::printable(printed));
  std::string text = "\n  It printed:\n";
  for (std::size_t i = 0; i < std::min(lines.size(), kPrintedLines); ++i) {
    const std::string& line = lines[i];
    std::size_t end = std::min(line.size(), kPrintedColumns);
    while (end < line.size() && end > 0 && (line[end] & '\xc0') == '\x80') --end;  // no character in parts
    text += "    " + line.substr(0, end) + (end < line.size() ? "…" : "") + "\n";
  }
  return text + (lines.size() > kPrintedLines ? "    …\n" : "");
}

}  // namespace gradus::exercises
