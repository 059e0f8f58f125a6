#include "examples/ch06_relative/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

constexpr double kRadius = 50;

std::string hand(double angle, const char* colour, double width) {
  constexpr double length = 0.88 * kRadius;
  return fmt::format(
      "<line x1=\"0\" y1=\"0\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"var(--{})\" stroke-width=\"{}\" "
      "stroke-linecap=\"round\"/>",
      length * std::cos(angle), -length * std::sin(angle), colour, width);
}

std::string name_at(double angle, const char* colour, const char* name) {
  constexpr double out = kRadius + 11;
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"14\" fill=\"var(--{})\">{}</text>",
                     out * std::cos(angle), -out * std::sin(angle) + 5, colour, name);
}

// Beside the hands; apart where those are together.
std::string names(const Clock& clock) {
  const double turn = std::remainder(clock.key - clock.query, 2 * M_PI), apart = std::max(0.0, 0.32 - std::abs(turn)) / 2;
  const double away = turn > 0 ? apart : -apart;
  return name_at(clock.query - away, "f1", "q") + name_at(clock.key + away, "f2", "k");
}

// The sector from the query's hand to the key's, the shorter way.
std::string between(const Clock& clock) {
  const double turn = std::remainder(clock.key - clock.query, 2 * M_PI), r = 0.42 * kRadius;
  return fmt::format("<path d=\"M0 0L{:.1f} {:.1f}A{} {} 0 0 {} {:.1f} {:.1f}z\" fill=\"var(--hidden)\" opacity=\".7\"/>",
                     r * std::cos(clock.query), -r * std::sin(clock.query), r, r, turn > 0 ? 0 : 1, r * std::cos(clock.key),
                     -r * std::sin(clock.key));
}

}  // namespace

std::string draw(const Clock& clock, const Clock* before, const std::string& alt) {
  std::string old;
  if (before != nullptr) old = hand(before->query, "hidden", 2.2) + hand(before->key, "hidden", 2.2);
  return fmt::format(
      "<svg viewBox=\"-70 -70 140 140\" style=\"max-width:9rem\" {}><circle r=\"{}\" fill=\"none\" stroke=\"var(--line)\" "
      "stroke-width=\"1.5\"/>{}{}{}{}</svg>",
      alt.empty() ? "aria-hidden=\"true\"" : "role=\"img\" aria-label=\"" + escaped(alt) + "\"", kRadius, between(clock), old,
      hand(clock.key, "f2", 5) + hand(clock.query, "f1", 2.2), names(clock));
}

}  // namespace gradus::examples
