#include "examples/ch12_matrix/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gradus::examples {

void keep_setting(Chapter& chapter, const Study& study) {
  const TrainOptions& base = study.base();
  const auto keep = [&](const char* name, auto value) { chapter.series(fmt::format("setting.{}", name), static_cast<double>(value)); };
  keep("first_seed", study.first_seed());
  keep("d_model", base.model.d_model);
  keep("layers", base.model.layers);
  keep("context", base.model.context);
  keep("steps", study.sizes().steps);
  keep("batch", base.batch);
  keep("rate", base.schedule.max_lr);
  keep("seeds", study.sizes().seeds);
  keep("pairs", study.sizes().pairs);
}

void refusals(Chapter& chapter, const Matrix& matrix) {
  std::map<std::string, double> reasons;
  for (const std::string& why : matrix.refused) {
    if (!why.empty()) ++reasons[why];
  }
  std::vector<std::string> why;
  std::vector<double> cells;
  for (const auto& [reason, count] : reasons) {
    why.push_back(reason);
    cells.push_back(count);
  }
  chapter.series("matrix.why", why);
  chapter.series("matrix.refused", cells);
}

std::vector<double> by_seeds(const std::vector<std::vector<double>>& cells, const Spread& baseline) {
  std::vector<double> percent;
  for (std::size_t runs = 1; !cells.empty() && runs <= cells[0].size(); ++runs) {
    percent.push_back(percent_significant(cells, static_cast<int64_t>(runs), baseline));
  }
  return percent;
}

std::string signed_fixed(double x, int decimals) { return (x > 0 ? "+" : "") + fixed(x, decimals); }
std::string shown_p(double p) { return p < 1e-4 ? "< 0.0001" : fixed(p, 4); }

std::string spelled(std::string family) {
  std::replace(family.begin(), family.end(), '_', '-');
  return family;
}

std::string main_effects(const std::vector<Effect>& effects) {
  std::vector<std::string> large, small;
  for (const Effect& effect : effects) {
    const double mean = spread_of(effect.differences).mean;
    if (std::abs(mean) < 2) small.push_back(effect.variant);
    else large.push_back(fmt::format("{} {:+.1f} σ", effect.variant, mean));
  }
  const auto listed = [](const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  };
  return fmt::format("{}; below 2 σ: {}", listed(large), listed(small));
}

void same_name(Chapter& chapter, const Spread& baseline) {
  const auto n = static_cast<double>(baseline.runs);
  double t = 2;  // P(|T| > t) = 5 %
  while (two_sided(t, baseline.runs - 1) > 0.05) t += 1e-3;
  chapter.number("same_name", {baseline.sigma, baseline.sigma * std::sqrt((n - 1) / n), baseline.sigma / std::sqrt(n),
                               t * baseline.sigma / std::sqrt(n), 1.96 * baseline.sigma});
}

}  // namespace gradus::examples
