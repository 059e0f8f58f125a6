// Text of a terminal with its meaning: what is a value, what a gradient. Colour is decided where it is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus::examples {

enum class Role { plain, heading, soft, value, gradient, parameter, constant, formula, right, wrong };

struct Span {
  Role role = Role::plain;
  std::string text;
};

class StyledLine {
 public:
  StyledLine() = default;
  StyledLine(const char* text) { add(Role::plain, text); }
  StyledLine(const std::string& text) { add(Role::plain, text); }
  StyledLine(Role role, std::string_view text) { add(role, text); }

  StyledLine& add(Role role, std::string_view text);
  StyledLine& add(const StyledLine& line);  // a text too

  std::size_t width() const;
  bool empty() const { return spans_.empty(); }
  StyledLine in_ascii() const;
  StyledLine fitted(std::size_t width, bool ascii) const;  // clipped, or padded with spaces
  std::string text() const;
  std::string coloured() const;  // with ANSI escape codes, of the 16 colours
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::vector<Span> spans_;
};

using Lines = std::vector<StyledLine>;

// Rows of cells as lines: columns aligned, two spaces between, those that are empty in all rows left out.
Lines aligned(const std::vector<Lines>& rows, bool ascii);

// As many lines as it takes to say this in `width` columns, broken at spaces, but in an array only
// where it is longer than a line; the further ones begin with the indent.
Lines wrapped(const StyledLine& line, std::size_t width, std::size_t indent);

}  // namespace gradus::examples
