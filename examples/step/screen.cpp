#include "examples/step/screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/terminal/columns.h"
#include "examples/step/panes.h"
#include "examples/step/rule.h"
#include "examples/step/words.h"

namespace gradus::examples {
namespace {

using inspect::TracedTensor;
using inspect::Visit;

StyledLine repeated(const char* character, std::size_t count) {
  std::string text;
  while (count-- > 0) text += character;
  return {Role::soft, text};
}

// "─ title ───────── right ─"
StyledLine border(const StyledLine& given, const StyledLine& right, std::size_t width, bool ascii) {
  const StyledLine title = ascii ? given.in_ascii() : given;
  StyledLine line = repeated("─", 1);
  if (!title.empty()) line.add(" ").add(title).add(" ");
  const std::size_t tail = right.empty() ? 0 : right.width() + 3;
  if (line.width() + tail >= width) return line.add(repeated("─", width > line.width() ? width - line.width() : 0));
  line.add(repeated("─", width - line.width() - tail));
  return right.empty() ? line : line.add(" ").add(right).add(" ").add(repeated("─", 1));
}

StyledLine title_line(const Stepper& stepper, std::size_t width, bool ascii) {
  const Replay& replay = stepper.replay();
  StyledLine where(fmt::format("visit {} of {}", replay.visit_index() + 1, replay.visits()));
  if (const Visit* visit = replay.visit(); visit != nullptr && replay.delivered() < visit->deliveries.size()) {
    where.add(fmt::format(", delivery {} of {}", replay.delivered(), visit->deliveries.size()));
  }
  const std::size_t room = width - where.width() - 1;
  return StyledLine(Role::heading, stepper.trace().title.empty() ? "a trace" : stepper.trace().title)
      .fitted(room, ascii)
      .add(" ")
      .add(where);
}

constexpr std::pair<const char*, const char*> kKeys[] = {{"n/p", "visit"}, {"d/D", "delivery"}, {"c/u", "until"}, {"s", "inside"},
                                                         {"v", "values"},  {"f", "source"},     {"?", "help"},    {"q", "quit"}};

StyledLine bottom_line(const Stepper& stepper) {
  using Question = Stepper::Question;
  if (stepper.question() == Question::condition) {
    return StyledLine(Role::heading, "until (op=mul  name=u  nan  zero  |g|>5): ").add(stepper.answer()).add("█");
  }
  if (stepper.question() == Question::tensor) {
    return StyledLine(Role::heading, "to the turn of (number or name): ").add(stepper.answer()).add("█");
  }
  if (!stepper.message().empty()) return {Role::heading, stepper.message()};
  StyledLine keys;
  for (const auto& [key, what] : kKeys) {
    if (!keys.empty()) keys.add("  ");
    keys.add(Role::heading, key).add(std::string(" ") + what);
  }
  return keys;
}

Screen walk_screen(const Stepper& stepper, ScreenSize size, bool ascii) {
  const std::size_t width = size.columns, left = width * 9 / 16, right = width - left - 2;
  const Lines leaves = leaf_lines(stepper, width, std::max<std::size_t>(2, size.rows / 6), ascii);
  const std::size_t free = size.rows - 5 - leaves.size();  // without title, three borders and keys
  // The tape takes the lines that the rule leaves.
  const Lines rule = rule_lines(stepper, width, free - 4);
  const std::size_t most = std::max(free / 2, free - std::min(rule.size(), free));
  const std::size_t above = std::clamp<std::size_t>(stepper.tree().rows().size(), 4, most), below = free - above;
  const Lines tree = tree_lines(stepper, left, above, ascii), pending = pending_lines(stepper, right, above, ascii);

  Screen screen;
  screen.lines.push_back(title_line(stepper, width, ascii));
  screen.lines.push_back(border("tape: value, ∂ gradient", tree_rest(stepper, above), left, ascii)
                             .add(Role::soft, "┬")
                             .add(border("pending, newest first", {}, right + 1, ascii)));
  for (std::size_t i = 0; i < above; ++i) {
    StyledLine line = (i < tree.size() ? tree[i] : StyledLine()).fitted(left, ascii);
    screen.lines.push_back(line.add(Role::soft, "│").add(" ").add((i < pending.size() ? pending[i] : StyledLine()).fitted(right, ascii)));
  }
  screen.lines.push_back(border(rule_title(stepper), place_of(stepper.trace(), stepper.current()), width, ascii));
  for (std::size_t i = 0; i < below; ++i) screen.lines.push_back(i < rule.size() ? rule[i] : StyledLine());
  screen.lines.push_back(border("leaves", {}, width, ascii));
  screen.lines.insert(screen.lines.end(), leaves.begin(), leaves.end());
  screen.lines.push_back(bottom_line(stepper));
  return screen;
}

// Columns from this one on; the frame of a page stays.
StyledLine scrolled(const StyledLine& line, std::size_t column) {
  StyledLine rest;
  for (const Span& span : line.spans()) {
    std::string_view text = span.text;
    for (; column > 0 && !text.empty(); --column) text.remove_prefix(character_size(text));
    rest.add(span.role, text);
  }
  return rest;
}

Screen page_screen(const Stepper& stepper, ScreenSize size, bool ascii) {
  const PageText page = page_text(stepper, size.columns, ascii);
  const std::size_t height = size.rows - 2;
  std::size_t widest = 0;
  for (const StyledLine& line : page.lines) widest = std::max(widest, line.width());
  Screen screen;
  screen.last_row = page.lines.size() > height ? page.lines.size() - height : 0;
  screen.last_column = widest > size.columns ? widest - size.columns : 0;
  const std::size_t first = std::min(stepper.row(), screen.last_row), column = std::min(stepper.column(), screen.last_column);
  screen.lines.push_back(border(StyledLine(Role::heading, page.title),
                                screen.last_row == 0 ? StyledLine() : StyledLine(fmt::format("{} of {}", first + 1, screen.last_row + 1)),
                                size.columns, ascii));
  for (std::size_t i = first; i < first + height; ++i) {
    screen.lines.push_back(i < page.lines.size() ? scrolled(page.lines[i], column) : StyledLine());
  }
  screen.lines.push_back(stepper.question() != Stepper::Question::none || !stepper.message().empty()
                             ? bottom_line(stepper)
                             : StyledLine(Role::soft, "arrows scroll; n p d D step; q, Esc or the same key again: back to the walk"));
  return screen;
}

}  // namespace

Screen draw(const Stepper& stepper, ScreenSize size, bool ascii) {
  if (size.columns < kLeastScreen.columns || size.rows < kLeastScreen.rows) {
    Screen screen;
    screen.lines.push_back(
        fmt::format("{} × {}: make the terminal at least {} × {}", size.columns, size.rows, kLeastScreen.columns, kLeastScreen.rows));
    screen.lines.push_back("or use --text");
    screen.lines.resize(size.rows);
    for (StyledLine& line : screen.lines) line = line.fitted(size.columns, ascii);
    return screen;
  }
  Screen screen = stepper.page() == Stepper::Page::walk ? walk_screen(stepper, size, ascii) : page_screen(stepper, size, ascii);
  for (StyledLine& line : screen.lines) line = line.fitted(size.columns, ascii);
  return screen;
}

}  // namespace gradus::examples
