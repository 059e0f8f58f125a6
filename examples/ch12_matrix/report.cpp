#include "examples/ch12_matrix/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gradus::examples {
namespace {

std::string strip_of(const std::vector<double>& values, double from, double to, const std::string& alt) {
  return draw(DotStrip{.values = values, .from = from, .to = to, .baseline_from = -2, .baseline_to = 2, .colour = "ink", .alt = alt});
}

}  // namespace

std::string signed_fixed(double x, int decimals) { return (x > 0 ? "+" : "") + fixed(x, decimals); }

// A difference in σ, grey and with ≈ where it is below two.
std::string in_sigma(double x) {
  const std::string number = signed_fixed(x, 2);
  return std::abs(x) < 2 ? "<span class=\"nodiff\">≈ " + number + "</span>" : number;
}

std::string shown_p(double p) { return p < 1e-4 ? "&lt; 0.0001" : fixed(p, 4); }

std::string widest(const Matrix& matrix, const std::vector<double>& z) {
  std::size_t low = 0, high = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i] < z[low]) low = i;
    if (z[i] > z[high]) high = i;
  }
  const std::vector<std::string> names = matrix.names(0, matrix.factors.size() - 1, ", ");
  return fmt::format("Lowest: {} σ with {}; highest: {} σ with {}.", fixed(z[low], 1), names[low], fixed(z[high], 1), names[high]);
}

void refusals(Chapter& chapter, const Matrix& matrix) {
  std::map<std::string, int> reasons;
  for (const std::string& why : matrix.refused) {
    if (!why.empty()) ++reasons[why];
  }
  for (const auto& [why, cells] : reasons) {
    chapter.report.text(fmt::format("The library refuses {} cells before a step is made: <em>{}</em>.", cells, escaped(why)));
  }
}

Line significant_line(const std::string& name, const std::string& colour, const std::vector<std::vector<double>>& cells,
                      const Spread& baseline) {
  Line line{.name = name, .x = {}, .y = {}, .colour = colour, .dashed = colour == "none"};
  for (std::size_t runs = 1; !cells.empty() && runs <= cells[0].size(); ++runs) {
    line.x.push_back(static_cast<double>(runs));
    line.y.push_back(percent_significant(cells, static_cast<int64_t>(runs), baseline));
  }
  return line;
}

void draw_seeds(Chapter& chapter, const std::vector<Line>& lines, const Spread& baseline) {
  Plot plot{.title = "Share of cells that differ significantly from the baseline, by seeds per cell",
            .alt = "Line plot. x: seeds of a cell; y: percent of the cells that differ significantly from the baseline.",
            .x = {"seeds of a cell", false, 1, lines[1].x.back()},
            .y = {"significantly other than the baseline (%)", false, 0, 100},
            .lines = lines};
  for (const Line& line : lines) {
    plot.alt += fmt::format(" {}: {:.0f} with one seed, {:.0f} with {:.0f}.", line.name, line.y[0], line.y.back(), line.x.back());
  }
  chapter.report.section("knob", "The knob: seeds");
  chapter.report.figure(
      {lines[1].y.back() > lines[1].y[0]
           ? "With more seeds more cells differ significantly from the baseline, and no more of what is nothing."
           : "Here with more seeds no more cells differ significantly from the baseline.",
       draw(plot),
       fmt::format("A cell differs significantly from the baseline if the mean of its k runs lies more than two standard errors away, 2 σ "
                   "√(1/k + 1/{}). Mean over all choices of k of the seeds. One change: the cells that differ from the "
                   "baseline in one part. Nothing: the baseline itself. Redraw: <code>./examples/run ch12 --seeds 8</code>",
                   baseline.runs)});
  ReportTable table{"The smallest difference that k runs per cell can show, two standard errors; the baseline’s own error vanishing.",
                    {{"runs k"}, {"2 / √k", "σ", true}, {"here", "nats", true}, {"runs for half of it", "", true}},
                    {}};
  for (const int64_t k : {1, 4, 16, 64}) {
    const double sigmas = 2 / std::sqrt(static_cast<double>(k));
    table.rows.push_back({std::to_string(k), fixed(sigmas, 2), fixed(sigmas * baseline.sigma, 4), std::to_string(4 * k)});
  }
  chapter.report.table(table);
}

ReportTable factor_table(const std::vector<Effect>& effects, int64_t seeds) {
  ReportTable table{
      fmt::format("Means of {} runs a cell, in σ. A dot: the change in one combination of the other parts; grey bar: ±2 σ.", seeds),
      {{"in place of the baseline’s"}, {"main effect", "σ", true}, {"its spread", "σ", true}, {"combinations", "", true}, {"each of them"}},
      {}};
  double from = -3, to = 3;
  for (const Effect& effect : effects) {
    for (const double x : effect.differences) {
      from = std::min(from, x - 1);
      to = std::max(to, x + 1);
    }
  }
  for (const Effect& effect : effects) {
    const Spread over = spread_of(effect.differences);
    const auto [least, most] = std::minmax_element(effect.differences.begin(), effect.differences.end());
    table.rows.push_back({spelled(effect.family) + " " + effect.variant, in_sigma(over.mean), fixed(over.sigma, 2),
                          std::to_string(over.runs),
                          strip_of(effect.differences, from, to,
                                   fmt::format("Dots: {} instead, in {} combinations of the other parts, from {} to {} σ of the baseline.",
                                               effect.variant, over.runs, fixed(*least, 1), fixed(*most, 1)))});
  }
  return table;
}

ReportTable change_table(int64_t pairs) {
  return {fmt::format("Loss − the baseline’s, seed by seed, {} seeds. SE: standard error of the mean difference; ρ: "
                      "correlation of the two losses; p: how often chance alone would give as much. Told: p below 5 % over "
                      "the number of lines.",
                      pairs),
          {{"instead"},
           {"difference", "σ", true},
           {"SE", "σ", true},
           {"its own spread", "σ", true},
           {"ρ", "", true},
           {"p", "", true},
           {"significant?"}},
          {}};
}

void add_change(ReportTable& table, const std::string& name, const Paired& d, const Spread& own, const Spread& baseline,
                int64_t comparisons) {
  const double sigma = baseline.sigma;
  table.rows.push_back({name, in_sigma(d.mean / sigma), fixed(d.standard_error / sigma, 2), fixed(own.sigma / sigma, 2),
                        fixed(d.correlation, 2), shown_p(d.p),
                        !significant(d, comparisons) ? "<span class=\"nodiff\">no</span>"
                        : d.mean < 0                 ? "better"
                                                     : "worse"});
}

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
  return fmt::format("{}; below 2 σ: {}", listed(large), listed(small));
}

std::string listed(const std::vector<std::string>& names) { return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")); }

void what_was_significant(Chapter& chapter, const std::vector<std::string>& small, const std::vector<std::string>& large) {
  chapter.report.text(
      fmt::format("Significant is not large: with enough seeds a difference of less than 2 σ (≈) is significant, and still "
                  "less than what another seed does. Here: {}. Large is not significant: a variant that itself spreads much "
                  "needs more seeds. Here: {}.",
                  listed(small), listed(large)));
}

void what_pairing_does(Chapter& chapter, const Study& study) {
  chapter.report.text(fmt::format(
      "Pairing subtracts what a seed does to both. With layer norm in place of RMS norm the weights are "
      "drawn in the same order, one seed gives both models the same ones, and ρ is {}. ReLU’s layer has "
      "two matrices in place of three: what is drawn after them differs, the same batches remain, and ρ "
      "is {}. The spread of a difference is σ √(2 − 2ρ): without correlation √2 σ, more than that of one "
      "run.",
      fixed(study.against_baseline("norm", "layer").correlation, 2), fixed(study.against_baseline("feed_forward", "relu").correlation, 2)));
}

void same_name(Chapter& chapter, const Spread& baseline) {
  const auto n = static_cast<double>(baseline.runs);
  double t = 2;  // P(|T| > t) = 5 %
  while (two_sided(t, baseline.runs - 1) > 0.05) t += 1e-3;
  const std::vector<std::array<std::string, 2>> meanings{{"spread σ, here", "√(Σ (x − x̄)² / (n − 1))"},
                                                         {"spread of these n alone", "√(Σ (x − x̄)² / n)"},
                                                         {"standard error of the mean", "σ / √n"},
                                                         {"95 % interval of the mean", fmt::format("t σ / √n, t = {:.2f}", t)},
                                                         {"half of a 95 % range of runs", "1.96 σ"}};
  const std::vector<double> values{baseline.sigma, baseline.sigma * std::sqrt((n - 1) / n), baseline.sigma / std::sqrt(n),
                                   t * baseline.sigma / std::sqrt(n), 1.96 * baseline.sigma};
  ReportTable table{fmt::format("All are written “{:.3f} ±”; of the same {} runs.", baseline.mean, baseline.runs),
                    {{"what ± means"}, {"its formula"}, {"here", "nats", true}},
                    {}};
  for (std::size_t i = 0; i < values.size(); ++i) table.rows.push_back({meanings[i][0], meanings[i][1], fixed(values[i], 4)});
  chapter.number("same_name", values);
  chapter.report.section("same-name", "Same name, other formula");
  chapter.report.table(table);
  chapter.report.text(fmt::format("The largest is {:.0f} times the smallest. A “±” without its meaning and its n is no statement.",
                                  values.back() / values[2]));
}

}  // namespace gradus::examples
