#include "examples/ch05_absolute/bases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch05_absolute/table.h"
#include "examples/shared/study/sinusoidal_heatmap.h"
#include "nn/nn.h"

namespace gradus::examples {
namespace {

// The least distance between the rows of two positions.
double least_distance(const Tensor& table) {
  const Tensor squares = sum(table * table, {-1}, true);
  const Tensor apart = squares + transpose(squares) - 2 * scores(table) + eye(kLength, -1, DType::f64) * 1e9;
  return std::sqrt(std::max(0.0, min(apart).item()));
}

}  // namespace

void bases(Chapter& chapter, double base) {
  std::vector<double> all{10, 100, 10000, 1e6};
  if (std::find(all.begin(), all.end(), base) == all.end()) all.push_back(base);
  std::vector<double> turning;
  std::vector<std::vector<double>> dots;
  for (const double one : all) {
    std::vector<double>& line = dots.emplace_back();
    for (int distance = 0; distance < kLength; ++distance) {
      line.push_back(nn::formula::sinusoidal_dot(kWidth, distance, one) / (kWidth / 2.0));
    }
    const Tensor waves = 2 * M_PI / nn::formula::sine_frequencies(kWidth, one);
    turning.push_back(sum(cast(waves <= 100, DType::f64)).item());
    const std::string path = fmt::format("base.{:.0f}", one);
    chapter.number(path + ".longest_wave", max(waves).item());
    chapter.number(path + ".least_distance", least_distance(sinusoidal_heatmap(nn::SineLayout::interleaved, one)));
    chapter.number(path + ".dot_at_50", line[50]);
  }
  chapter.series("base.own", base);
  chapter.series("base.all", all);
  chapter.series("base.dots", dots);
  chapter.series("base.turning", turning);
}

}  // namespace gradus::examples
