#include "examples/ch12_matrix/factors.h"

#include <fmt/format.h>

#include "examples/ch12_matrix/report.h"

namespace gradus::examples {

void factors(Chapter& chapter, const Study& study, const Spread& baseline) {
  const std::vector<Effect> effects = effects_of(study.matrix(), in_spreads(study.means(study.sizes().seeds), baseline));
  for (const Effect& effect : effects) {
    const Spread over = spread_of(effect.differences);
    chapter.number("factors." + effect.variant, {over.mean, over.sigma, static_cast<double>(over.runs)});
    chapter.series("effects." + effect.variant + ".family", spelled(effect.family));
    chapter.series("effects." + effect.variant + ".differences", effect.differences);
  }
  chapter.tell(fmt::format("\nMain effects, means over all combinations of the others:\n  {}", main_effects(effects)));
}

void one_change(Chapter& chapter, const Study& study) {
  const auto comparisons = static_cast<int64_t>(study.changes());
  for (const auto& [family, variants] : study.matrix().factors) {
    for (std::size_t v = 1; v < variants.size(); ++v) {
      const Paired d = study.against_baseline(family, variants[v]);
      const Spread own = spread_of(study.losses(study.changed(family, variants[v]), study.sizes().pairs));
      chapter.number("change." + variants[v], {d.mean, d.standard_error, d.correlation, d.p});
      chapter.series("changes." + variants[v] + ".own", own.sigma);
      chapter.series("changes." + variants[v] + ".said", !significant(d, comparisons) ? "no" : d.mean < 0 ? "better" : "worse");
    }
  }
}

}  // namespace gradus::examples
