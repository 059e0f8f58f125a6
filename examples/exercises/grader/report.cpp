#include "examples/exercises/grader/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

constexpr int kRows = 3, kShownWidth = 55;  // of an array that is shown: a line has 80 columns

struct Colours { const char *red, *green, *blue, *bold, *off; };
Colours colours(bool on) { return on ? Colours{"\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[1m", "\x1b[0m"} : Colours{"", "", "", "", ""}; }

std::string shown(double value, int digits) {
  if (never_written(value)) return "–";
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return value == std::round(value) && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

// Which part of an array is shown, and with how many digits.
struct View {
  int row = 0, column = 0, digits = 4;
  int width() const { return std::max(10, digits + 7); }
  int columns() const { return kShownWidth / (width() + 1); }
};

// What shows the first number that differs, and as many digits as it takes to see that it does.
View view_of(const Array& array, const Array& other) {
  std::size_t at = 0;
  while (at < array.numbers.size() && close(array.numbers[at], other.numbers[at], largest(other))) ++at;
  View view;
  if (at == array.numbers.size()) return view;
  const double mine = array.numbers[at], right = other.numbers[at];
  while (view.digits < 17 && shown(mine, view.digits) == shown(right, view.digits)) ++view.digits;
  const int n = std::max(columns_of(array), 1), row = static_cast<int>(at) / n, column = static_cast<int>(at) % n;
  view.row = std::max(0, std::min(row, rows_of(array) - kRows));
  view.column = column < view.columns() ? 0 : std::min(column, n - view.columns());
  return view;
}

// Some rows of `array`, each on a line, ▲ at what differs from `other`.
// Where it begins beyond row 0, each row has its number.
std::string rows(const std::string& label, const Array& array, const Array* other, const Colours& c, const View& view = {}) {
  const std::string more = fmt::format("    {:<12}{:>{}}\n", "", "…", view.width());
  std::string text = view.row > 0 ? more : "";
  const double scale = other != nullptr ? largest(*other) : 0;
  const int n = columns_of(array), end = std::min(n, view.column + view.columns());
  for (int i = view.row; i < std::min(rows_of(array), view.row + kRows); ++i) {
    const std::string number_of_row = view.row > 0 ? fmt::format("[{}]", i) : "";
    const std::string name = i == view.row ? label : "";
    const std::size_t room = 11 - std::min<std::size_t>(11, name.size());
    text += fmt::format("    {}{:>{}}{}", name, number_of_row, room, view.column > 0 ? "…" : " ");
    for (int j = view.column; j < end; ++j) {
      const auto at = static_cast<std::size_t>(i * n + j);
      const bool wrong = other != nullptr && !close(array.numbers[at], other->numbers[at], scale);
      const std::string number = shown(array.numbers[at], view.digits);
      text += fmt::format("{}{:>{}}{}{}", wrong ? c.red : "", number, view.width(), wrong ? "▲" : " ", wrong ? c.off : "");
    }
    text += n > end ? " …\n" : "\n";
  }
  return rows_of(array) > view.row + kRows ? text + more : text;
}

// The wrong output that the sentence begins with, or else the first wrong one: one is enough for a screen.
std::size_t shown_output(const Verdict& verdict) {
  std::size_t found = verdict.got.size();
  for (std::size_t i = verdict.got.size(); i-- > 0;) {
    if (!equal(verdict.got[i], verdict.expected[i])) found = i;
  }
  for (std::size_t i = found; i < verdict.got.size(); ++i) {
    const bool spoken_of = verdict.sentence.rfind(verdict.got[i].name, 0) == 0;
    if (spoken_of && !equal(verdict.got[i], verdict.expected[i])) return i;
  }
  return found;
}

std::string probe_shown(const Verdict& verdict, const Colours& c) {
  std::string text = fmt::format("  On {}:\n", verdict.probe->name);
  for (const Array& input : verdict.probe->inputs) text += rows(input.name, input, nullptr, c);
  if (const std::size_t i = shown_output(verdict); i < verdict.got.size()) {
    const View view = view_of(verdict.got[i], verdict.expected[i]);
    text += rows(verdict.got[i].name + " yours", verdict.got[i], &verdict.expected[i], c, view);
    text += rows("  right", verdict.expected[i], nullptr, c, view);
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
    case Kind::disagreement: return "disagreement";
    case Kind::relation: return "relation";
    case Kind::law: return "law";
    case Kind::unknown: return "unknown";
  }
  return "";
}

std::string screen(const Exercise& exercise, std::size_t stage, const Verdict& verdict, bool coloured, bool named) {
  const Colours c = colours(coloured);
  const bool good = passes(verdict), asks = !named && has_name(verdict);
  std::string text = fmt::format("{}{} {}{} · {}", c.bold, exercise.number, exercise.title, c.off, exercise.stages[stage].function);
  if (exercise.stages.size() > 1) text += fmt::format(" ({} of {})", stage + 1, exercise.stages.size());
  text += "\n\n";
  if (verdict.kind == Kind::pass) {
    return text + fmt::format("{}✓ right{}: on {} probes, to nine digits.\n", c.green, c.off, exercise.stages[stage].probes.size());
  }
  text += fmt::format("{}{}{} {}\n", good ? c.green : c.red, good ? "✓" : "✗", c.off, asks ? verdict.seen : verdict.sentence);
  for (const std::string& id : asks ? std::vector<std::string>() : verdict.ids) {
    const std::string& source = published_as(id).source;
    text += fmt::format("  {}{}{}{}\n", c.blue, id, c.off, source.empty() ? "" : ": " + source);
  }
  if (verdict.probe != nullptr && !good) text += "\n" + probe_shown(verdict, c);
  if (!verdict.question.empty()) text += fmt::format("\n{}?{} {}\n", c.blue, c.off, verdict.question);
  return text;
}

std::string as_json(const Exercise& exercise, std::size_t stage, const Verdict& verdict) {
  const bool good = passes(verdict);
  const nlohmann::json json = {
      {"version", 3},
      {"status", good                                     ? "pass"
                 : verdict.kind == Kind::does_not_compile ? "error"
                                                          : "fail"},
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
