#include "examples/shared/report/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace gradus::examples {
namespace {

// How many bytes the first character has; 0 unless it can be shown.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return (byte(0) >= 0x20 && byte(0) != 0x7f) || text[0] == '\n' || text[0] == '\t' ? 1 : 0;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc0 || byte(0) >= 0xf8 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};  // the control characters up to 0x9f are not shown
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[size] || surrogate || code > 0x10ffff ? 0 : size;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = character(text);
    shown += size > 0 ? std::string(text.substr(0, size)) : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return shown;
}

}  // namespace gradus::examples
