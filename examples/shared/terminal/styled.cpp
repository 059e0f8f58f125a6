#include "examples/shared/terminal/styled.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/terminal/columns.h"

namespace gradus::examples {
namespace {

int code_of(Role role) {
  switch (role) {
    case Role::plain: return 0;
    case Role::heading: return 1;
    case Role::soft:
    case Role::constant: return 2;
    case Role::wrong: return 31;
    case Role::right: return 32;
    case Role::gradient: return 33;
    case Role::value: return 34;
    case Role::parameter: return 35;
    case Role::formula: return 36;
  }
  return 0;
}

// The bytes of the first word: up to a space that is in no brackets. An array that is wider than `room` is no word.
std::size_t word_size(std::string_view text, std::size_t room) {
  std::size_t end = 0;
  for (int depth = 0; end < text.size() && (text[end] != ' ' || depth > 0); ++end) {
    depth += (text[end] == '[') - (text[end] == ']');
  }
  return columns(text.substr(0, end)) <= room ? end : std::min(text.find(' '), text.size());
}

}  // namespace

StyledLine& StyledLine::add(Role role, std::string_view text) {
  if (text.empty()) return *this;
  if (!spans_.empty() && spans_.back().role == role) {
    spans_.back().text += text;
  } else {
    spans_.push_back({role, std::string(text)});
  }
  return *this;
}

StyledLine& StyledLine::add(const StyledLine& line) {
  for (const Span& span : line.spans_) add(span.role, span.text);
  return *this;
}

std::size_t StyledLine::width() const {
  std::size_t width = 0;
  for (const Span& span : spans_) width += columns(span.text);
  return width;
}

StyledLine StyledLine::in_ascii() const {
  StyledLine plain;
  for (const Span& span : spans_) plain.add(span.role, to_ascii(span.text));
  return plain;
}

StyledLine StyledLine::fitted(std::size_t width, bool ascii) const {
  const StyledLine line = ascii ? in_ascii() : *this;
  StyledLine fit;
  std::size_t left = width;
  const bool whole = line.width() <= width;
  for (const Span& span : line.spans_) {
    // A part that just fits is cut too when more follows, to show that it does.
    const bool last = whole || columns(span.text) < left;
    const std::string part = last ? span.text : clip(span.text + "  ", left, ascii);
    fit.add(span.role, part);
    left -= std::min(left, columns(part));
    if (!last) break;
  }
  return fit.add(std::string(left, ' '));
}

std::string StyledLine::text() const {
  std::string text;
  for (const Span& span : spans_) text += span.text;
  return text;
}

std::string StyledLine::coloured() const {
  std::string text;
  for (const Span& span : spans_) {
    const int code = code_of(span.role);
    text += code == 0 ? span.text : fmt::format("\x1b[{}m{}\x1b[0m", code, span.text);
  }
  return text;
}

Lines aligned(const std::vector<Lines>& rows, bool ascii) {
  std::vector<Lines> shown = rows;
  std::vector<std::size_t> widths;
  for (Lines& row : shown) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (ascii) row[i] = row[i].in_ascii();
      widths[i] = std::max(widths[i], row[i].width());
    }
  }
  Lines lines;
  for (const Lines& row : shown) {
    StyledLine line;
    std::size_t gap = 0;  // only written before what follows: no spaces at the end
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      if (!row[i].empty()) {
        line.add(std::string(gap, ' ')).add(row[i]);
        gap = 0;
      }
      gap += widths[i] - row[i].width() + 2;
    }
    lines.push_back(line);
  }
  return lines;
}

Lines wrapped(const StyledLine& line, std::size_t width, std::size_t indent) {
  Lines lines(1);
  std::size_t used = 0;
  std::string gap;  // the spaces before a word, which a break replaces
  for (const Span& span : line.spans()) {
    std::string_view rest = span.text;
    while (!rest.empty()) {
      const std::size_t spaces = std::min(rest.find_first_not_of(' '), rest.size());
      gap += rest.substr(0, spaces);
      rest.remove_prefix(spaces);
      const std::string_view word = rest.substr(0, word_size(rest, width - indent));
      rest.remove_prefix(word.size());
      if (word.empty()) continue;
      if (used + gap.size() + columns(word) > width && used > indent) {
        lines.emplace_back();
        gap = std::string(indent, ' ');
        used = 0;
      }
      lines.back().add(span.role, gap + std::string(word));
      used += gap.size() + columns(word);
      gap.clear();
    }
  }
  return lines;
}

}  // namespace gradus::examples
