#include "examples/shared/expression/tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/expression/expression.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/terminal/columns.h"

namespace gradus::examples {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// How many bytes of a letter begin here, Latin or Greek; 0: none.
std::size_t letter(std::string_view rest) {
  if (rest.empty()) return 0;
  if (is_letter(rest[0])) return 1;
  const bool greek = rest.size() > 1 && (rest[0] == '\xce' || rest[0] == '\xcf') && (rest[1] & '\xc0') == '\x80';
  return greek ? 2 : 0;
}

std::size_t name_length(std::string_view rest) {
  std::size_t length = letter(rest);
  while (length > 0 && length < rest.size()) {
    const std::size_t more = is_digit(rest[length]) ? 1 : letter(rest.substr(length));
    if (more == 0) break;
    length += more;
  }
  return length;
}

// Digits with a point among them, and an exponent: 2, 0.5, .5, 1e-3. A name may follow at once, and is then an error.
std::size_t number_length(std::string_view rest) {
  std::size_t i = 0, digits = 0;
  const auto skip_digits = [&] {
    for (; i < rest.size() && is_digit(rest[i]); ++i) ++digits;
  };
  skip_digits();
  if (i < rest.size() && rest[i] == '.') {
    ++i;
    skip_digits();
  }
  if (digits == 0) return 0;
  std::size_t e = i;
  if (e < rest.size() && (rest[e] == 'e' || rest[e] == 'E')) {
    ++e;
    if (e < rest.size() && (rest[e] == '+' || rest[e] == '-')) ++e;
    if (e < rest.size() && is_digit(rest[e])) {
      i = e;
      skip_digits();
    }
  }
  return i;
}

struct Sign { std::string_view written, meant; };
constexpr Sign kSigns[] = {{"**", "**"}, {"+", "+"}, {"-", "-"}, {"−", "-"}, {"*", "*"}, {"·", "*"}, {"×", "*"}, {"⊙", "*"}, {"/", "/"},
                           {"^", "^"},   {"@", "@"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"}, {",", ","}, {";", ";"}, {"=", "="}};

// Around the place, where the expression is long.
struct Excerpt { std::string before, after; };

Excerpt excerpt(std::string_view text, std::size_t column) {
  constexpr std::size_t kBefore = 50, kAfter = 26;
  std::size_t first = column > kBefore ? column - kBefore : 0, last = std::min(text.size(), column + kAfter);
  while (first > 0 && (text[first] & '\xc0') == '\x80') --first;  // whole characters
  while (last < text.size() && (text[last] & '\xc0') == '\x80') ++last;
  const auto line = [](std::string_view part) {
    std::string shown = printable(part);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    return shown;
  };
  return {(first > 0 ? "…" : "") + line(text.substr(first, column - first)),
          line(text.substr(column, last - column)) + (last < text.size() ? "…" : "")};
}

std::string message_at(std::string_view text, std::size_t column, const std::string& message) {
  const auto [before, after] = excerpt(text, column);
  return fmt::format("{}\n  {}{}\n  {}^", message, before, after, std::string(columns(before), ' '));
}

}  // namespace

ExpressionError::ExpressionError(std::string_view text, std::size_t column, const std::string& message)
    : ValueError(message_at(text, std::min(column, text.size()), message)), column_(std::min(column, text.size())) {}

Token token_at(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) ++at;
  const std::string_view rest = text.substr(at);
  if (rest.empty()) return {Token::Kind::end, rest, at};
  if (const std::size_t length = number_length(rest)) return {Token::Kind::number, rest.substr(0, length), at};
  if (const std::size_t length = name_length(rest)) return {Token::Kind::name, rest.substr(0, length), at};
  for (const Sign& sign : kSigns) {
    const std::string_view written = rest.substr(0, sign.written.size());
    if (written == sign.written) return {Token::Kind::sign, written, at, sign.meant};
  }
  throw ExpressionError(text, at, fmt::format("'{}' means nothing here", printable(rest.substr(0, character_size(rest)))));
}

}  // namespace gradus::examples
