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

inline namespace terminal {  // a plot has a Line, too: in a program that links both they are two types

class Line {
 public:
  Line() = default;
  Line(const char* text) { add(Role::plain, text); }
  Line(const std::string& text) { add(Role::plain, text); }
  Line(Role role, std::string_view text) { add(role, text); }

  Line& add(Role role, std::string_view text);
  Line& add(const Line& line);  // a text too

  std::size_t width() const;
  bool empty() const { return spans_.empty(); }
  Line in_ascii() const;
  Line fitted(std::size_t width, bool ascii) const;  // clipped, or padded with spaces
  std::string text() const;
  std::string coloured() const;  // with ANSI escape codes, of the 16 colours
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::vector<Span> spans_;
};

}  // namespace terminal

using Lines = std::vector<Line>;

// Rows of cells as lines: columns aligned, two spaces between, those that are empty in all rows left out.
Lines aligned(const std::vector<Lines>& rows, bool ascii);

// As many lines as it takes to say this in so many columns, broken at spaces, but in an array only
// where it is longer than a line; the further ones begin with the indent.
Lines wrapped(const Line& line, std::size_t width, std::size_t indent);

}  // namespace gradus::examples
