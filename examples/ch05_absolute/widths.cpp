#include "examples/ch05_absolute/widths.h"

#include <algorithm>

#include "examples/shared/data/median.h"
#include "examples/shared/study/distance_law.h"
#include "examples/shared/study/projected_scores.h"

namespace gradus::examples {

std::vector<double> shares(const Chapter& chapter, const Tensor& table, int64_t width, bool shared) {
  std::vector<double> all;
  for (std::uint64_t i = 0; i < (chapter.full() ? 64 : 16); ++i) {
    Generator random(chapter.seed() + i);
    all.push_back(distance_law(projected_scores(table, width, random, shared)).share);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void widths(Chapter& chapter, const Tensor& table) {
  for (const bool shared : {false, true}) {
    Band line;
    for (int64_t width = 4; width <= 512; width *= 2) {
      const std::vector<double> all = shares(chapter, table, width, shared);
      line.x.push_back(static_cast<double>(width));
      line.y.push_back(median(all));
      line.low.push_back(all.front());
      line.high.push_back(all.back());
    }
    chapter.number(shared ? "widths.shared" : "widths.apart", line.y);
    chapter.series(shared ? "widths.shared" : "widths.apart", line);
  }
}

}  // namespace gradus::examples
