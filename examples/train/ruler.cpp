#include "examples/train/ruler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace gradus::examples {
namespace {

constexpr int kColumns = 78;

std::string joined(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += cell;
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

Ruler::Ruler(const NgramLines& lines)
    : lines_{{"triples", lines.trigram}, {"pairs", lines.bigram}, {"bytes", lines.unigram}, {"guessing", lines.guess}},
      least_(std::floor(lines.lowest())),
      most_(lines.guess) {}

int Ruler::column(double nats) const {
  return static_cast<int>(std::lround(std::clamp((nats - least_) / (most_ - least_), 0.0, 1.0) * (kColumns - 1)));
}

std::string Ruler::values() const {
  std::string text;
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line)
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", line->first, line->second);
  return text;
}

std::string Ruler::head() const {
  std::vector<std::string> cells(kColumns, " ");
  for (const auto& [name, nats] : lines_) {
    const int mark = column(nats), begin = mark - static_cast<int>(name.size());
    const bool fits = begin >= 0 && std::all_of(cells.begin() + std::max(begin - 1, 0), cells.begin() + mark,
                                                [](const std::string& cell) { return cell == " "; });
    for (int i = 0; fits && i < static_cast<int>(name.size()); ++i) cells[begin + i] = name[i];
    cells[mark] = fits ? "┐" : "┊";
  }
  return joined(cells);
}

std::string Ruler::bar(double loss) const {
  std::vector<std::string> cells(kColumns, " ");
  for (const auto& [name, nats] : lines_) cells[column(nats)] = "┊";
  const int end = column(loss);
  std::fill(cells.begin(), cells.begin() + end, "━");
  cells[end] = "╸";
  return joined(cells);
}

}  // namespace gradus::examples
