#include "examples/exercises/grader/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

constexpr int kRows = 3, kColumns = 5;  // of an array that is shown: a line has 80 columns

struct Colours {
  const char *red, *green, *blue, *bold, *off;
};
Colours colours(bool on) { return on ? Colours{"\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[1m", "\x1b[0m"} : Colours{"", "", "", "", ""}; }

std::string shown(double value) {
  if (never_written(value)) return "–";
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return value == std::round(value) && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

// The row from which to show two arrays, so that the first number that differs is seen.
int first_row(const Array& array, const Array& other) {
  std::size_t at = 0;
  while (at < array.numbers.size() && close(array.numbers[at], other.numbers[at], largest(other))) ++at;
  return std::max(0, std::min(static_cast<int>(at) / std::max(columns_of(array), 1), rows_of(array) - kRows));
}

// A few rows of `array`, each on a line, ▲ at what differs from `other`.
std::string rows(const std::string& label, const Array& array, const Array* other, const Colours& c, int first = 0) {
  std::string text = first > 0 ? fmt::format("    {:<12}{:>10}\n", "", "…") : "";
  const double scale = other != nullptr ? largest(*other) : 0;
  const int n = columns_of(array);
  for (int i = first; i < std::min(rows_of(array), first + kRows); ++i) {
    text += fmt::format("    {:<12}", i == first ? label : "");
    for (int j = 0; j < std::min(n, kColumns); ++j) {
      const auto at = static_cast<std::size_t>(i * n + j);
      const bool wrong = other != nullptr && !close(array.numbers[at], other->numbers[at], scale);
      text += fmt::format("{}{:>10}{}{}", wrong ? c.red : "", shown(array.numbers[at]), wrong ? "▲" : " ", wrong ? c.off : "");
    }
    text += n > kColumns ? " …\n" : "\n";
  }
  if (rows_of(array) > first + kRows) text += fmt::format("    {:<12}{:>10}\n", "", "…");
  return text;
}

// The wrong output that the sentence begins with, or else the first wrong one: one is enough for a screen.
std::size_t shown_output(const Verdict& verdict) {
  std::size_t found = verdict.got.size();
  for (std::size_t i = verdict.got.size(); i-- > 0;) {
    if (!equal({verdict.got[i]}, {verdict.expected[i]})) found = i;
  }
  for (std::size_t i = found; i < verdict.got.size(); ++i) {
    const bool spoken_of = verdict.sentence.rfind(verdict.got[i].name, 0) == 0;
    if (spoken_of && !equal({verdict.got[i]}, {verdict.expected[i]})) return i;
  }
  return found;
}

std::string probe_shown(const Verdict& verdict, const Colours& c) {
  std::string text = fmt::format("  On {}:\n", verdict.probe->name);
  for (const Array& input : verdict.probe->inputs) text += rows(input.name, input, nullptr, c);
  if (const std::size_t i = shown_output(verdict); i < verdict.got.size()) {
    const int first = first_row(verdict.got[i], verdict.expected[i]);
    text += rows(verdict.got[i].name + " yours", verdict.got[i], &verdict.expected[i], c, first);
    text += rows("  right", verdict.expected[i], nullptr, c, first);
  }
  return text;
}

}  // namespace

const char* word(Kind kind) {
  switch (kind) {
    case Kind::pass: return "pass";
    case Kind::convention: return "convention";
    case Kind::not_written: return "not written";
    case Kind::does_not_compile: return "does not compile";
    case Kind::failed: return "failed";
    case Kind::not_a_number: return "not a number";
    case Kind::mistake: return "mistake";
    case Kind::two_mistakes: return "two mistakes";
    case Kind::relation: return "relation";
    case Kind::law: return "law";
    case Kind::unknown: return "unknown";
  }
  return "";
}

std::string screen(const Exercise& exercise, std::size_t stage, const Verdict& verdict, bool coloured) {
  const Colours c = colours(coloured);
  const bool good = verdict.kind == Kind::pass || verdict.kind == Kind::convention;
  std::string text = fmt::format("{}{} {}{} · {}", c.bold, exercise.number, exercise.title, c.off, exercise.stages[stage].function);
  if (exercise.stages.size() > 1) text += fmt::format(" ({} of {})", stage + 1, exercise.stages.size());
  text += "\n\n";
  if (verdict.kind == Kind::pass) {
    return text + fmt::format("{}✓ right{}: on {} probes, to nine digits.\n", c.green, c.off, exercise.stages[stage].probes.size());
  }
  text += fmt::format("{}{}{} {}\n", good ? c.green : c.red, good ? "✓" : "✗", c.off, verdict.sentence);
  for (const std::string& id : verdict.ids) {
    const std::string& source = published_as(id).source;
    text += fmt::format("  {}{}{}{}\n", c.blue, id, c.off, source.empty() ? "" : ": " + source);
  }
  if (verdict.probe != nullptr && !good) text += "\n" + probe_shown(verdict, c);
  if (!verdict.question.empty()) text += fmt::format("\n{}?{} {}\n", c.blue, c.off, verdict.question);
  return text;
}

std::string as_json(const Exercise& exercise, std::size_t stage, const Verdict& verdict) {
  const bool good = verdict.kind == Kind::pass || verdict.kind == Kind::convention;
  const nlohmann::json json = {
      {"version", 3},
      {"status", good ? "pass" : verdict.kind == Kind::does_not_compile ? "error" : "fail"},
      {"exercise", exercise.id},
      {"function", exercise.stages[stage].function},
      {"diagnosis", word(verdict.kind)},
      {"ids", verdict.ids},
      {"message", verdict.sentence},
      {"question", verdict.question},
  };
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gradus::exercises
