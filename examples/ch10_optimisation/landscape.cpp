#include "examples/ch10_optimisation/landscape.h"

#include <fmt/format.h>

#include <algorithm>

namespace gradus::examples {
namespace {

constexpr double kWidth = 240, kHeight = 180;

std::string points(const Landscape& l, const Path& path) {
  std::string text;
  for (const auto& [x, y] : path) {  // far outside, a picture a few times its own size away is as good as the truth
    text += fmt::format("{:.1f},{:.1f} ", std::clamp((x - l.x_from) / (l.x_to - l.x_from), -9.0, 9.0) * kWidth,
                        std::clamp((l.y_to - y) / (l.y_to - l.y_from), -9.0, 9.0) * kHeight);
  }
  return text;
}

std::string line(const Landscape& l, const Path& path, const std::string& colour, double width) {
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--{})\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
                     points(l, path), colour, width);
}

std::string dot(const Landscape& l, const std::pair<double, double>& at, const std::string& look) {
  const std::string place = points(l, {at});
  const std::size_t comma = place.find(',');
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4\" {}/>", place.substr(0, comma), place.substr(comma + 1, place.size() - comma - 2),
                     look);
}

}  // namespace

std::string draw(const Landscape& l) {
  std::string inside;
  for (const Path& level : l.levels) inside += line(l, level, "hidden", 1.2);
  inside += line(l, l.path, l.colour, 1.8);
  if (!l.path.empty()) inside += dot(l, l.path.front(), "fill=\"var(--paper)\" stroke=\"var(--ink)\" stroke-width=\"1.6\"");
  inside += dot(l, l.goal, "fill=\"var(--ink)\"");
  return fmt::format(
      "<svg viewBox=\"-1 -1 {0} {1}\" aria-hidden=\"true\"><svg width=\"{2}\" height=\"{3}\" "
      "style=\"overflow:hidden\" "
      "aria-hidden=\"true\">{4}</svg><rect width=\"{2}\" height=\"{3}\" fill=\"none\" stroke=\"var(--line)\"/></svg>",
      kWidth + 2, kHeight + 2, kWidth, kHeight, inside);
}

}  // namespace gradus::examples
