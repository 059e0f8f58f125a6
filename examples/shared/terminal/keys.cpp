#include "examples/shared/terminal/keys.h"

#include <algorithm>

#include "examples/shared/terminal/columns.h"

namespace gradus::examples {
namespace {

using Kind = Key::Kind;

struct Sequence {
  std::string_view bytes;
  Kind kind;
};
constexpr Sequence kSequences[] = {
    {"\x1b[A", Kind::up},      {"\x1b[B", Kind::down},     {"\x1b[C", Kind::right},      {"\x1b[D", Kind::left}, {"\x1bOA", Kind::up},
    {"\x1bOB", Kind::down},    {"\x1bOC", Kind::right},    {"\x1bOD", Kind::left},       {"\x1b[H", Kind::home}, {"\x1b[F", Kind::end},
    {"\x1bOH", Kind::home},    {"\x1bOF", Kind::end},      {"\x1b[1~", Kind::home},      {"\x1b[4~", Kind::end}, {"\x1b[7~", Kind::home},
    {"\x1b[8~", Kind::end},    {"\x1b[5~", Kind::page_up}, {"\x1b[6~", Kind::page_down}, {"\r", Kind::enter},    {"\n", Kind::enter},
    {"\x7f", Kind::backspace}, {"\b", Kind::backspace}};

bool begins_with(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

// The length of an escape sequence that means nothing here: ESC [ parameters letter, or ESC and one character.
std::size_t unknown_sequence(std::string_view bytes) {
  if (bytes.size() < 2 || (bytes[1] != '[' && bytes[1] != 'O')) return std::min<std::size_t>(bytes.size(), 2);
  std::size_t end = 2;
  while (end < bytes.size() && bytes[end] >= 0x20 && bytes[end] < 0x40) ++end;
  return end < bytes.size() ? end + 1 : 0;
}

}  // namespace

std::vector<Key> take_keys(std::string& bytes, bool silent) {
  std::vector<Key> keys;
  while (!bytes.empty()) {
    const auto* known =
        std::find_if(std::begin(kSequences), std::end(kSequences), [&](const Sequence& s) { return begins_with(bytes, s.bytes); });
    std::size_t used = 0;
    if (known != std::end(kSequences)) {
      keys.push_back({known->kind});
      used = known->bytes.size();
    } else if (bytes[0] == '\x1b') {
      used = bytes.size() == 1 ? 0 : unknown_sequence(bytes);
      if (used == 0 && !silent) break;
      if (used == 0) {
        keys.push_back({Kind::escape});
        used = bytes.size();
      }
    } else {
      used = character_size(bytes);
      if (static_cast<unsigned char>(bytes[0]) >= 0x20) keys.push_back({Kind::character, bytes.substr(0, used)});
    }
    bytes.erase(0, used);
  }
  return keys;
}

}  // namespace gradus::examples
