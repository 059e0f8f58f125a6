#include "examples/ch12_matrix/more_seeds.h"

#include <fmt/format.h>

#include <cmath>

namespace gradus::examples {

void more_seeds(Chapter& chapter, const Study& study, const Spread& baseline) {
  std::vector<std::vector<double>> changes, nothing(1);
  for (const auto& [family, variants] : study.matrix().factors) {
    for (std::size_t v = 1; v < variants.size(); ++v) {
      changes.push_back(study.losses(study.changed(family, variants[v]), study.sizes().pairs));
    }
  }
  for (const double loss : study.null_losses()) {  // in cells of `pairs` seeds
    if (std::isnan(loss)) continue;
    if (static_cast<int64_t>(nothing.back().size()) == study.sizes().pairs) nothing.emplace_back();
    nothing.back().push_back(loss);
  }
  if (static_cast<int64_t>(nothing.back().size()) < study.sizes().pairs) nothing.pop_back();
  const std::vector<double> whole = by_seeds(study.live_losses(), baseline);
  chapter.number("seeds.matrix", whole);
  chapter.number("seeds.one_change", by_seeds(changes, baseline));
  chapter.number("seeds.nothing", by_seeds(nothing, baseline));
  chapter.tell(fmt::format("With {} seeds a cell {:.0f} % differ from it significantly, with one {:.0f} %.", study.sizes().seeds,
                           whole.back(), whole[0]));
}

}  // namespace gradus::examples
