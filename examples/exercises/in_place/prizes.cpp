#include "examples/exercises/in_place/prizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace gradus::exercises {

std::string prize(const std::string& id, const Functions& mine) {
  for (const prizes::Table* table : {&prizes::of_layers(), &prizes::of_attention(), &prizes::around_a_model()}) {
    if (const auto found = table->find(id); found != table->end()) return found->second(mine);
  }
  throw ValueError(fmt::format("mine: '{}' has nothing to show", id));
}

std::string prizes::bar(double share, int cells) {
  std::string text;
  for (int i = 0; i < static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * cells)); ++i) text += "█";
  return text;
}

std::string prizes::shade(double share, int cells) {
  const char* const shades[] = {" ", "░", "▒", "▓", "█"};
  std::string text;
  for (int i = 0; i < cells; ++i) text += shades[std::clamp(static_cast<int>(share * 5), 0, 4)];
  return text;
}

std::string prizes::shown_byte(char byte) {
  if (byte == '\n') return "⏎";
  return byte == ' ' ? "·" : byte > ' ' && byte <= '~' ? std::string(1, byte) : "?";
}

}  // namespace gradus::exercises
