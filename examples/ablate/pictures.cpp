#include "examples/ablate/pictures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/report/drawing.h"
#include "examples/shared/report/plot.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

using Values = std::vector<double>;

// What each run of a row gives, and of runs that are as long, place by place: mean, least and greatest.
struct Means { Values mean, low, high; };
Means means_of(const std::vector<Values>& runs) {
  Means means;
  for (std::size_t i = 0; !runs.empty() && i < runs[0].size(); ++i) {
    Values here;
    for (const Values& run : runs) here.push_back(run[i]);
    means.mean.push_back(spread_of(here).mean);
    means.low.push_back(*std::min_element(here.begin(), here.end()));
    means.high.push_back(*std::max_element(here.begin(), here.end()));
  }
  return means;
}

template <typename Of> std::vector<Values> of_finite_runs(const Row& row, const Of& of) {
  std::vector<Values> runs;
  for (const Outcome& outcome : row.of->outcomes) {
    if (!std::isnan(outcome.loss)) runs.push_back(of(outcome));
  }
  return runs;
}

// `line_of` each variant that has one, as evenly as can be over plots of four at most, with the baseline in each of them;
// none if the baseline has no line.
template <typename LineOf> std::vector<std::vector<Line>> plots_of(const ResultTable& table, const LineOf& line_of) {
  constexpr std::size_t hues = 4;
  std::vector<Line> all;
  for (const Row& row : table.rows) {
    Line line = line_of(row);
    if (!row.baseline && line.x.size() > 1) all.push_back(std::move(line));
  }
  Line baseline = line_of(table.baseline);
  if (baseline.x.empty()) return {};
  baseline.colour = "none";
  baseline.dashed = true;
  const std::size_t count = (all.size() + hues - 1) / hues;
  std::vector<std::vector<Line>> plots;
  for (std::size_t i = 0, p = 0; p < count; ++p) {
    plots.push_back({baseline});
    for (const std::size_t end = all.size() * (p + 1) / count; i < end; ++i) {
      all[i].colour = fmt::format("f{}", plots.back().size());
      plots.back().push_back(all[i]);
    }
  }
  return plots;
}

Line curve_of(const Row& row) {
  const std::vector<Values> runs = of_finite_runs(row, [](const Outcome& outcome) { return outcome.curve.losses; });
  Line line{.name = row.name(), .x = {}, .y = means_of(runs).mean};
  const auto count = static_cast<double>(line.y.size());
  for (double i = 0; i < count; ++i) line.x.push_back(100 * (i + 0.5) / count);
  return line;
}

Line lengths_of(const Row& row) {
  const std::vector<Values> runs = of_finite_runs(row, [](const Outcome& outcome) {
    Values losses;
    for (const AtLength& at : outcome.lengths) losses.push_back(at.loss);
    return losses;
  });
  const Means means = means_of(runs);
  Line line{.name = row.name(), .x = {}, .y = {}};
  for (std::size_t i = 0; i < means.mean.size(); ++i) {
    if (std::isnan(means.mean[i])) continue;
    line.x.push_back(std::exp2(static_cast<double>(i)));
    line.y.push_back(means.mean[i]);
    line.low.push_back(means.low[i]);
    line.high.push_back(means.high[i]);
  }
  return line;
}

std::string described(const std::vector<Line>& lines) {
  std::vector<std::string> said;
  for (const Line& line : lines) {
    if (!line.y.empty()) said.push_back(fmt::format("{} from {} to {}", line.name, shown(line.y.front()), shown(line.y.back())));
  }
  return fmt::format("{}", fmt::join(said, "; "));
}

Plot plot_of(const std::string& title, const Axis& x, const Axis& y, const std::vector<Line>& lines) {
  Plot plot;
  plot.title = title;
  plot.alt = fmt::format("Line plot. x: {} from {} to {}; y: {}. {}.", x.name, x.from, x.to, y.name, described(lines));
  plot.x = x;
  plot.y = y;
  plot.lines = lines;
  return plot;
}

// The geometric mean of the norms over all runs, block by block.
Values gradients_of(const Row& row, Values Outcome::* when) {
  std::vector<Values> runs;
  for (const Outcome& outcome : row.of->outcomes) {
    if ((outcome.*when).empty()) continue;
    runs.push_back(outcome.*when);
    for (double& norm : runs.back()) norm = std::log(norm);
  }
  Values means = means_of(runs).mean;
  for (double& norm : means) norm = std::exp(norm);
  return means;
}

// The gradient of the first block over that of the last: which variant has least of it, and which most.
struct Slope {
  std::string least_name, most_name;
  double least = HUGE_VAL, most = 0;
};
Slope slope_of(const ResultTable& table, Values Outcome::* when) {
  Slope slope;
  for (const Row& row : table.rows) {
    const Values norms = gradients_of(row, when);
    const double ratio = norms.empty() ? NAN : norms.front() / norms.back();
    if (ratio < slope.least) slope.least = ratio, slope.least_name = row.name();
    if (ratio > slope.most) slope.most = ratio, slope.most_name = row.name();
  }
  return slope;
}

Panel gradients_panel(const ResultTable& table, HeatMap map, Values Outcome::* when, const std::string& title) {
  std::size_t blocks = 0;
  for (const Row& row : table.rows) blocks = std::max(blocks, row.of->outcomes.at(0).gradients_before.size());
  for (const Row& row : table.rows) {
    Values norms = gradients_of(row, when);
    norms.resize(blocks, NAN);
    map.rows.push_back(norms);
    map.row_names.push_back(row.name());
  }
  for (std::size_t b = 0; b < blocks; ++b) map.column_names.push_back(b % 2 == 0 ? std::to_string(b + 1) : "");
  map.alt = fmt::format("Heat map of {} variants by {} blocks, {}.", table.rows.size(), blocks, title);
  const Slope slope = slope_of(table, when);
  const std::string sentence = fmt::format("First block over last: least {} ({}), most {} ({}).", shown(slope.least, 2),
                                           escaped(slope.least_name), shown(slope.most, 2), escaped(slope.most_name));
  return {title, slope.most > 0 ? sentence : "All diverged.", draw(map)};
}

// Colours for the norms of all rows, before and after: as many decades as they take.
HeatMap colours_of(const ResultTable& table) {
  double least = HUGE_VAL, most = 0;
  for (const Row& row : table.rows) {
    for (const auto when : {&Outcome::gradients_before, &Outcome::gradients_after}) {
      for (const double norm : gradients_of(row, when)) {
        if (!std::isfinite(norm) || norm == 0) continue;
        least = std::min(least, norm);
        most = std::max(most, norm);
      }
    }
  }
  const double decades = most > 0 ? std::clamp(std::ceil(std::log10(most / least)), 1.0, 6.0) : 1;
  return {.rows = {}, .limit = most, .decades = decades, .cell = 16, .alt = {}};
}

// One axis for all lines: the first part of a run, in which all fall alike, leaves through the frame.
Axis axis_of_curves(const std::vector<Line>& lines) {
  Axis axis{"training loss (nats per byte)"};
  double least = HUGE_VAL, most = 0;
  for (const Line& line : lines) {
    least = std::min(least, *std::min_element(line.y.begin(), line.y.end()));
    most = std::max(most, line.y[line.y.size() / 8]);
  }
  axis.from = least - 0.05 * (most - least);
  axis.to = most;
  return axis;
}

}  // namespace

void show_curves(Report& report, const ResultTable& table) {
  report.section("curves", "How they learn");
  for (const std::vector<Line>& lines : plots_of(table, curve_of)) {
    const Plot plot =
        plot_of("Training loss against the share of the run", {"share of the run (%)", false, 0, 100}, axis_of_curves(lines), lines);
    report.figure({fmt::format("At the end {} is at {} on the training text, {} at {}.", lines[0].name, fixed(lines[0].y.back(), 3),
                               lines[1].name, fixed(lines[1].y.back(), 3)),
                   draw(plot),
                   fmt::format("Means over {} seeds and over neighbouring batches; dashed: the baseline, {}. In the "
                               "order of the table.",
                               table.baseline.losses.size(), lines[0].name)});
  }
}

void show_lengths(Report& report, const ResultTable& table) {
  report.section("lengths", "On longer texts than it was trained on");
  for (const std::vector<Line>& lines : plots_of(table, lengths_of)) {
    const auto best = std::min_element(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
      const auto last = [](const Line& line) { return line.x.back() == 4 ? line.y.back() : HUGE_VAL; };
      return last(a) < last(b);
    });
    const Plot plot = plot_of("Loss against the length of the windows", {"length of the windows ÷ that of training", false, 1, 4},
                              {"loss (nats per byte)"}, lines);
    report.figure({best->x.back() < 4
                       ? "None of these reads windows of four times the length."
                       : fmt::format("At four times the length {} has the lowest loss of these: {}.", best->name, fixed(best->y.back(), 3)),
                   draw(plot),
                   fmt::format("The same part of the validation text in windows of T, 2T and 4T bytes; trained on T. Lines: means "
                               "over {} seeds; bands: least to greatest; dashed: the baseline, {}.",
                               table.baseline.losses.size(), lines[0].name)});
  }
  ReportTable numbers{
      "Means over the seeds, nats per byte.", {{"variant"}, {"at T", "", true}, {"at 2T", "", true}, {"at 4T", "", true}}, {}};
  std::string reasons;
  for (const Row& row : table.rows) {
    std::vector<std::string> cells{escaped(row.name())};
    std::string why;
    for (std::size_t i = 0; i < 3; ++i) {
      Values losses;
      for (const Outcome& outcome : row.of->outcomes) {
        losses.push_back(outcome.lengths[i].loss);
        if (why.empty()) why = outcome.lengths[i].cannot;
      }
      const double mean = spread_of(losses).mean;
      cells.push_back(std::isnan(mean) ? "cannot" : fixed(mean, 3));
    }
    if (!why.empty()) reasons += fmt::format("{} cannot: <em>{}</em>. ", escaped(row.name()), escaped(why));
    numbers.rows.push_back(cells);
  }
  report.table(numbers);
  if (!reasons.empty()) report.text(reasons);
}

void show_gradients(Report& report, const ResultTable& table) {
  const HeatMap empty = colours_of(table);
  report.section("gradients", "The gradient by depth");
  const Slope before = slope_of(table, &Outcome::gradients_before);
  report.figure({fmt::format("Before the first step the first block’s gradient is {} to {} times the last’s.", shown(before.least, 2),
                             shown(before.most, 2)),
                 panels({gradients_panel(table, empty, &Outcome::gradients_before, "Before the first step"),
                         gradients_panel(table, empty, &Outcome::gradients_after, "After the last step")},
                        20) +
                     key_of(empty, "‖dL/dθ‖ of a block"),
                 fmt::format("Norm of the loss’s gradient by all parameters of a block, of one validation batch; "
                             "columns: blocks, the first at the left; geometric means over {} seeds. ×: diverged.",
                             table.baseline.losses.size())});
}

}  // namespace gradus::examples
