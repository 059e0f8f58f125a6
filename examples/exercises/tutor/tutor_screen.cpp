#include "examples/exercises/tutor/tutor_screen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "examples/exercises/grader/report.h"
#include "examples/exercises/tutor/commands.h"
#include "examples/exercises/tutor/order.h"

namespace gradus::exercises {
namespace {

using examples::Lines;
using examples::Role;
using examples::StyledLine;

constexpr std::size_t kLeastToWrap = 24;  // columns; with fewer, lines are only cut

// A line of the grader's, whose colours are escape codes.
StyledLine styled(std::string_view text) {
  constexpr std::pair<std::string_view, Role> kCodes[] = {{"\x1b[31m", Role::wrong},
                                                          {"\x1b[32m", Role::right},
                                                          {"\x1b[34m", Role::value},
                                                          {"\x1b[1m", Role::heading},
                                                          {"\x1b[0m", Role::plain}};
  StyledLine line;
  Role role = Role::plain;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find('\x1b'), text.size());
    line.add(role, text.substr(0, escape));
    text.remove_prefix(escape);
    const auto begins = [&](const auto& one) { return text.substr(0, one.first.size()) == one.first; };
    const auto* code = std::find_if(std::begin(kCodes), std::end(kCodes), begins);
    if (code != std::end(kCodes)) {
      role = code->second;
      text.remove_prefix(code->first.size());
    } else if (!text.empty()) {
      text.remove_prefix(1);
    }
  }
  return line;
}

// Rows of numbers, code and what was printed keep their lines, and are cut; sentences are wrapped.
void add_text(Lines& lines, const std::string& text, std::size_t columns) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const bool as_it_is = line.rfind("    ", 0) == 0 || columns < kLeastToWrap || line.empty();
    if (as_it_is) {
      lines.push_back(styled(line));
    } else {
      for (const StyledLine& part : examples::wrapped(styled(line), columns, 2)) lines.push_back(part);
    }
  }
}

StyledLine status_line(const Tutor& tutor, std::size_t columns) {
  StyledLine line(Role::heading, "exercises  ");
  line.add(Role::right, progress_bar(tutor.state(), columns / 2));
  if (tutor.checking()) return line.add(Role::value, "  checking " + file_of(*tutor.checked_now()) + " …");
  return line.add(Role::soft, tutor.checked() ? "  watching: save it to check it" : "  watching");
}

StyledLine place_line(const Tutor& tutor) {
  const Exercise& one = tutor.exercise();
  StyledLine line(Role::parameter, typed(tutor.folder().file_of(one)));
  line.add(fmt::format("  ·  {} min  ·  docs/{}{}", one.minutes, one.section, see_also(one)));
  const std::vector<std::string> missing = missing_for(one, tutor.state());
  return missing.empty() ? line : line.add(Role::soft, fmt::format("  ·  builds on {}", fmt::join(missing, ", ")));
}

void add_first_words(Lines& lines, const Tutor& tutor, std::size_t columns) {
  const Exercise& one = tutor.exercise();
  add_text(lines, fmt::format("\x1b[1m{} {}\x1b[0m\n\n", one.number, one.title), columns);
  if (!tutor.folder().has(one))
    add_text(lines, fmt::format("{} is not there. Enter puts it there.\n", typed(tutor.folder().file_of(one))), columns);
}

Lines exercise_lines(const Tutor& tutor, std::size_t columns) {
  Lines lines;
  const auto& checked = tutor.checked();
  if (!checked) {
    add_first_words(lines, tutor, columns);
    return lines;
  }
  const bool asks = !tutor.named() && !checked->asked.empty();
  add_text(lines, asks ? checked->asked : checked->text, columns);
  if (asks) add_text(lines, "\x1b[34mw\x1b[0m What is it?\n", columns);
  if (checked->kind == Kind::not_written) {
    add_text(lines,
             "\nOpen the file in your editor, read its first comment and the section, replace each todo() with your code, and save.\n",
             columns);
  }
  if (!checked->passed) return lines;
  const Exercise* next = next_open(tutor.state(), &tutor.exercise());
  add_text(lines, "\ns shows how the project writes it, to compare.\n", columns);
  add_text(lines,
           next == nullptr
               ? "That was the last one: all have passed.\n"
               : fmt::format("n goes on to {} {}: {} ({} min).\n", next->number, next->id, next->title, next->minutes) + on_the_way(*next),
           columns);
  return lines;
}

// Each with what the last check of it in this session said.
Lines list_lines(const Tutor& tutor) {
  Lines lines;
  for (const Exercise& one : all_exercises()) {
    const auto found = tutor.all_checked().find(one.id);
    const bool checked = found != tutor.all_checked().end(), passed = checked && found->second.passed;
    StyledLine line(passed ? Role::right : Role::wrong, passed ? "✓ " : checked ? "✗ " : "  ");
    if (&one == tutor.checked_now()) line = StyledLine(Role::value, "… ");
    const std::string remark = checked && !passed ? word(found->second.kind) : "";
    lines.push_back(line.add(list_line(one, tutor.folder(), tutor.state(), &one == &tutor.exercise(), remark)));
  }
  return lines;
}

Lines page_lines(const Tutor& tutor, std::size_t columns) {
  if (tutor.page() == Tutor::Page::list) return list_lines(tutor);
  if (tutor.page() == Tutor::Page::exercise) return exercise_lines(tutor, columns);
  Lines lines{StyledLine(Role::heading, "How the project writes it: one way of many")};
  std::istringstream code(solution_of(tutor.exercise()));
  for (std::string line; std::getline(code, line);) lines.emplace_back(line);
  return lines;
}

StyledLine key_line(const Tutor& tutor) {
  if (tutor.asks_for_reset()) {
    return {Role::heading, fmt::format("Put {} there as it was given? Yours is kept. y/n", file_of(tutor.exercise()))};
  }
  StyledLine line;
  for (const auto& [key, what] : {std::pair{"n", "next"},
                                  {"p", "previous"},
                                  {"h", "hint"},
                                  {"l", "list"},
                                  {"c", "check all"},
                                  {"x", "reset"},
                                  {"s", "solution"},
                                  {"q", "quit"}}) {
    if (!line.empty()) line.add("  ");
    line.add(Role::heading, key).add(Role::soft, std::string(" ") + what);
  }
  return line;
}

// A hint, as long as it may help, and what the last key has to say.
Lines hint_lines(const Tutor& tutor, std::size_t columns) {
  Lines lines;
  if (!tutor.message().empty()) add_text(lines, "\x1b[1m" + tutor.message() + "\x1b[0m\n", columns);
  const bool passed = tutor.checked() && tutor.checked()->passed;
  if (tutor.hint() == 0 || tutor.page() != Tutor::Page::exercise || passed) return lines;
  const auto& hints = tutor.stage().hints;
  if (tutor.hint() > static_cast<int>(hints.size())) return lines;
  const std::string& hint = hints[static_cast<std::size_t>(tutor.hint() - 1)];
  add_text(lines, fmt::format("\x1b[34mhint {} of {}\x1b[0m  {}\n", tutor.hint(), hints.size(), hint), columns);
  return lines;
}

}  // namespace

TutorScreen draw(const Tutor& tutor, std::size_t columns, std::size_t rows) {
  TutorScreen screen;
  Lines head{status_line(tutor, columns), place_line(tutor), StyledLine()}, foot = hint_lines(tutor, columns);
  const Lines keys = columns < kLeastToWrap ? Lines{key_line(tutor)} : examples::wrapped(key_line(tutor), columns, 0);
  foot.insert(foot.end(), keys.begin(), keys.end());
  if (rows < 14) head.resize(rows < 8 ? 0 : 1);  // what can be left out first
  if (foot.size() + 3 > rows && foot.size() > 1) foot.resize(1);
  const Lines body = page_lines(tutor, columns);
  const std::size_t room = rows - std::min(rows - 1, head.size() + foot.size() + 1);
  screen.last_scroll = body.size() > room ? body.size() - room : 0;
  const std::size_t from = std::min(tutor.scroll(), screen.last_scroll), to = std::min(body.size(), from + room);
  screen.lines = head;
  screen.lines.insert(screen.lines.end(), body.begin() + static_cast<std::ptrdiff_t>(from), body.begin() + static_cast<std::ptrdiff_t>(to));
  screen.lines.resize(head.size() + room);
  if (screen.last_scroll > 0) {
    const std::size_t below = body.size() - to;
    screen.lines.push_back({Role::soft, below > 0 ? fmt::format("↓ {} more (arrow keys)", below) : "↑ (arrow keys)"});
  } else {
    screen.lines.emplace_back();
  }
  screen.lines.insert(screen.lines.end(), foot.begin(), foot.end());
  screen.lines.resize(std::min(screen.lines.size(), rows));
  for (StyledLine& line : screen.lines) line = line.fitted(columns, false);
  return screen;
}

}  // namespace gradus::exercises
