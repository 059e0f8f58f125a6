#include "examples/shared/terminal/columns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace gradus::examples {
namespace {

std::uint32_t code_of(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]);
  std::uint32_t code = static_cast<unsigned char>(character[0]) & (0x7fu >> character.size());
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  return code;
}

struct Range { std::uint32_t first, last; };

template <std::size_t n> bool within(std::uint32_t code, const std::array<Range, n>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& r) { return r.first <= code && code <= r.last; });
}

// Unicode's East Asian Width (UAX 11), in blocks.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115f},
                                      {0x2e80, 0x303e},
                                      {0x3041, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0x1f300, 0x1faff},
                                      {0x20000, 0x3fffd}}};
constexpr std::array<Range, 5> kCombining{{{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}}};

std::size_t columns_of(std::uint32_t code) { return within(code, kCombining) ? 0 : within(code, kWide) ? 2 : 1; }

constexpr std::pair<std::string_view, std::string_view> kAscii[] = {
    {"−", "-"},     {"·", "*"},    {"×", "x"},    {"⊙", "*"}, {"√", "sqrt"}, {"Σ", "sum"}, {"∂", "d"},  {"ε", "eps"},  {"π", "pi"},
    {"σ", "sigma"}, {"μ", "mean"}, {"∞", "inf"},  {"≈", "~"}, {"≤", "<="},   {"≥", ">="},  {"≠", "!="}, {"∈", "in"},   {"²", "^2"},
    {"³", "^3"},    {"⁻¹", "^-1"}, {"⁻⁵", "^-5"}, {"•", "*"}, {"◦", "o"},    {"ᵀ", "^T"},  {"→", "->"}, {"←", "<-"},   {"↑", "^"},
    {"↓", "v"},     {"…", "~"},    {"─", "-"},    {"│", "|"}, {"┌", "+"},    {"┐", "+"},   {"└", "+"},  {"┘", "+"},    {"├", "+"},
    {"┤", "+"},     {"┬", "+"},    {"┴", "+"},    {"┼", "+"}, {"▸", ">"},    {"█", "#"},   {"▌", "#"},  {"✓", "[ok]"}, {"✗", "[no]"},
    {"‖", "|"},     {"₀", "0"},    {"₁", "1"},    {"₂", "2"}, {"ˣ", "^x"},   {"ᵇ", "^b"},  {"ⁿ", "^n"}, {"̂", ""}};

}  // namespace

std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.empty() ? 0 : text[0]);
  const std::size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 1;
  if (size > text.size()) return 1;
  const bool whole =
      std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(size), [](char c) { return (c & '\xc0') == '\x80'; });
  return whole ? size : 1;
}

std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); text.remove_prefix(character_size(text))) {
    width += columns_of(code_of(text.substr(0, character_size(text))));
  }
  return width;
}

std::string clip(std::string_view text, std::size_t width, bool ascii) {
  if (columns(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t kept = 0, used = 0;
  while (true) {
    const std::size_t size = character_size(text.substr(kept)), wide = columns_of(code_of(text.substr(kept, size)));
    if (used + wide > width - 1) break;
    kept += size;
    used += wide;
  }
  return std::string(text.substr(0, kept)) + (ascii ? "~" : "…");
}

std::string to_ascii(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto* row =
        std::find_if(std::begin(kAscii), std::end(kAscii), [&](const auto& r) { return text.substr(0, r.first.size()) == r.first; });
    if (row != std::end(kAscii)) {
      plain += row->second;
      text.remove_prefix(row->first.size());
    } else {
      plain += (text[0] & '\x80') == 0 ? text[0] : '?';
      text.remove_prefix(character_size(text));
    }
  }
  return plain;
}

}  // namespace gradus::examples
