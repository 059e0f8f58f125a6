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

}  // namespace gradus::examples
