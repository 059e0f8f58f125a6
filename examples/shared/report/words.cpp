#include "examples/shared/report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/check.h"

namespace gradus::examples {
namespace {

std::string raised(int exponent) {
  static const std::vector<const char*> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  return text;
}

// --- formulas -----------------------------------------------------------------------------------------------

// One piece of a formula: plain text, or a word with its parts, which | separates.
struct Piece {
  std::string word, text;
  std::vector<std::vector<Piece>> parts;
};
using Pieces = std::vector<Piece>;

class Reader {
 public:
  static Pieces read(std::string_view formula) {
    Reader reader(formula);
    Pieces pieces = reader.pieces();
    check<ValueError>(reader.at_ == formula.size(), "formula: '}}' or '|' without '{{' in: {}", formula);
    return pieces;
  }

 private:
  explicit Reader(std::string_view formula) : text_(formula) {}

  Pieces pieces() {
    Pieces found;
    while (at_ < text_.size() && text_[at_] != '}' && text_[at_] != '|') {
      if (text_[at_] == '{') {
        found.push_back(group());
        continue;
      }
      const std::size_t end = std::min(text_.find_first_of("{}|", at_), text_.size());
      found.push_back({"", std::string(text_.substr(at_, end - at_)), {}});
      at_ = end;
    }
    return found;
  }

  Piece group() {
    const std::size_t space = text_.find_first_of(" {}|", at_ + 1);
    check<ValueError>(space != std::string_view::npos && text_[space] == ' ', "formula: '{{' needs a word and a space in: {}", text_);
    Piece piece{std::string(text_.substr(at_ + 1, space - at_ - 1)), "", {}};
    at_ = space;
    do {
      ++at_;
      piece.parts.push_back(pieces());
    } while (at_ < text_.size() && text_[at_] == '|');
    check<ValueError>(at_ < text_.size(), "formula: '{{{}' is not closed in: {}", piece.word, text_);
    ++at_;
    return piece;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// How a word is written: around its parts, and between the two of a fraction.
struct Style { const char *before, *between, *after; };

const Style& style_of(const std::string& word, bool html) {
  static const std::vector<std::pair<std::string, std::pair<Style, Style>>> styles{
      {"v", {{"<var class=\"v\">", "", "</var>"}, {"", "", ""}}},
      {"g", {{"<var class=\"g\">", "", "</var>"}, {"", "", ""}}},
      {"p", {{"<var class=\"p\">", "", "</var>"}, {"", "", ""}}},
      {"c", {{"<var class=\"c\">", "", "</var>"}, {"", "", ""}}},
      {"m", {{"<var>", "", "</var>"}, {"", "", ""}}},
      {"frac", {{"<span class=\"fr\"><span>", "</span><span>", "</span></span>"}, {"", " / ", ""}}},
      {"root", {{"<span class=\"rt\"><span>", "", "</span></span>"}, {"√(", "", ")"}}},
      {"big", {{"<span class=\"lp\">", "", "</span>"}, {"", "", ""}}},
      {"sub", {{"<sub>", "", "</sub>"}, {"_", "", ""}}},
      {"sup", {{"<sup>", "", "</sup>"}, {"^", "", ""}}}};
  for (const auto& [name, both] : styles) {
    if (name == word) return html ? both.first : both.second;
  }
  throw ValueError(fmt::format("formula: unknown word '{}'", word));
}

std::string written(const Pieces& pieces, bool html) {  // NOLINT(misc-no-recursion): as deep as the formula is
  std::string text;
  for (const Piece& piece : pieces) {
    if (piece.word.empty()) {
      text += html ? escaped(piece.text) : piece.text;
      continue;
    }
    const Style& style = style_of(piece.word, html);
    text += style.before;
    for (std::size_t i = 0; i < piece.parts.size(); ++i) {
      const bool bracket = !html && piece.word == "frac" && piece.parts[i].size() > 1;
      text += (i > 0 ? style.between : "") + std::string(bracket ? "(" : "") + written(piece.parts[i], html) + (bracket ? ")" : "");
    }
    text += style.after;
  }
  return text;
}

}  // namespace

std::string with_commas(std::int64_t n) {
  std::string text = std::to_string(std::abs(n));
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0 && text.size() > 4; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return (n < 0 ? "−" : "") + text;
}

std::string fixed(double x, int decimals) {
  if (!std::isfinite(x)) return shown(x);
  const std::string text = fmt::format("{:.{}f}", std::abs(x), decimals);
  return (x < 0 && text.find_first_not_of("0.") != std::string::npos ? "−" : "") + text;
}

std::string shown(double x, int digits) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  if (x == 0) return "0";
  const double size = std::abs(x);
  const std::string parts = fmt::format("{:.{}e}", size, digits - 1);
  const std::size_t e = parts.find('e');
  const int exponent = std::atoi(parts.c_str() + e + 1);  // of the rounded number: that of 0.9999 is 0
  std::string text;
  if (x == std::round(x) && size < 1e15) {
    text = size >= 10000 ? with_commas(static_cast<std::int64_t>(size)) : fmt::format("{:.0f}", size);
  } else if (size < 1e-3 || size >= 1e6) {
    text = parts.substr(0, e) + "·10" + raised(exponent);
  } else {
    text = size >= 10000 ? with_commas(std::llround(size)) : fmt::format("{:.{}f}", size, std::max(0, digits - 1 - exponent));
  }
  return (x < 0 ? "−" : "") + text;
}

std::string folded(std::string_view words, std::size_t columns, std::string_view indent) {
  const auto width = [](std::string_view text) {  // of characters, not of bytes
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::string text, line;
  for (std::size_t from = 0, end = 0; from < words.size(); from = end + 1) {
    end = std::min(words.find(' ', from), words.size());
    const std::string_view word = words.substr(from, end - from);
    if (!line.empty() && width(indent) + width(line) + 1 + width(word) > columns) {
      text += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return text + fmt::format("{}{}\n", indent, line);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string quoted_for_shell(const std::string& word) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-_./=:,+@%", c) != nullptr; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string inside = word;
  replace_all(inside, "'", "'\\''");
  return "'" + inside + "'";
}

std::string escaped(std::string_view text) {
  std::string result(text);
  replace_all(result, "&", "&amp;");
  replace_all(result, "<", "&lt;");
  replace_all(result, ">", "&gt;");
  replace_all(result, "\"", "&quot;");
  return result;
}

std::string formula_html(std::string_view formula) { return written(Reader::read(formula), true); }
std::string formula_text(std::string_view formula) { return written(Reader::read(formula), false); }

}  // namespace gradus::examples
