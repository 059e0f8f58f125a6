#include "examples/ablate/page.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "examples/ablate/pictures.h"
#include "examples/shared/report/drawing.h"
#include "examples/shared/report/report.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

std::string title_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const Given& factor : plan.factors()) names.push_back(flag_of(factor.option).substr(2));
  return fmt::format("Ablation: {}", fmt::join(names, " × "));
}

// σ of the baseline in nats; which variants differ significantly.
void one_number(Report& report, const ResultTable& table) {
  if (!table.baseline.trained) {
    report.one_number("†",
                      fmt::format("The baseline, {}, has not trained: nothing can be compared with it.", escaped(table.baseline.name())));
    return;
  }
  std::vector<std::string> lower, higher;
  std::size_t within = 0;
  for (const Row& row : table.rows) {
    const std::string said = said_of(table, row);
    if (said == "lower") lower.push_back(row.name());
    if (said == "higher") higher.push_back(row.name());
    within += !row.baseline && ResultTable::within(row) ? 1 : 0;
  }
  const auto list = [](const std::vector<std::string>& names) {
    return names.empty() ? "none" : escaped(fmt::format("{}", fmt::join(names, ", ")));
  };
  const Spread& spread = table.baseline.spread;
  report.one_number(std::isnan(spread.sigma) ? "±?" : "±" + fixed(spread.sigma, 3),
                    fmt::format("What another seed does to the baseline, {}, at {} nats per byte: σ of {} seeds. {} of {} "
                                "variant{} within twice that. Beyond it, with p below 0.05: lower {}; higher {}.",
                                escaped(table.baseline.name()), fixed(spread.mean, 3), spread.runs, within, table.comparisons,
                                table.comparisons == 1 ? " is" : "s are", list(lower), list(higher)));
}

struct Frame {
  double from = -3, to = 3;  // in σ
};

// The differences of the single runs in the baseline's spreads; none where a seed has no loss.
std::vector<double> dots_of(const Row& row, const ResultTable& table) {
  if (row.diverged > 0 || !row.trained || !table.baseline.trained || !(table.baseline.spread.sigma > 0)) return {};
  return in_spreads(row.losses, table.baseline.spread);
}

Frame frame_of(const ResultTable& table) {
  Frame frame;
  for (const Row& row : table.rows) {
    for (const double x : dots_of(row, table)) {
      frame.from = std::min(frame.from, x - 1);
      frame.to = std::max(frame.to, x + 1);
    }
  }
  return frame;
}

std::string strip_of(const Row& row, const ResultTable& table, const Frame& frame) {
  const std::vector<double> dots = dots_of(row, table);
  if (dots.empty()) return "–";
  const auto [least, most] = std::minmax_element(dots.begin(), dots.end());
  return draw(DotStrip{.values = dots,
                       .from = frame.from,
                       .to = frame.to,
                       .baseline_from = -2,
                       .baseline_to = 2,
                       .colour = "ink",
                       .alt = fmt::format("Dots: {} seeds of {}, from {} to {} σ of the baseline’s mean.", dots.size(), row.name(),
                                          fixed(*least, 1), fixed(*most, 1))});
}

// In a column that asks whether a variant differs from the baseline.
std::string in_a_word(const std::string& said) {
  if (said == "not significant" || said == "too few seeds") return "unclear";
  return said == "no difference seen" ? "no" : said;
}

void sorted_table(Report& report, const Plan& plan, const ResultTable& table) {
  const bool time = plan.equal == Equal::time;
  ReportTable shown{fmt::format("Best first. Loss on validation text, mean and σ of {} seeds; Δ: to the baseline, {}, in σ of its seeds; "
                                "p: paired by seed, times {} comparison{}. ≈: no more than another seed does; unless p is below 0.05, no "
                                "difference is seen. Dots: seeds; grey bar: ±2 σ.",
                                plan.seeds, escaped(table.baseline.name()), table.comparisons, table.comparisons == 1 ? "" : "s"),
                    {{"variant"},
                     {time ? "steps" : "parameters", time ? "and a step’s time" : "", true},
                     {"rate", "", true},
                     {"loss", "nats per byte", true},
                     {"Δ", "σ", true},
                     {"p", "", true},
                     {"differs?"},
                     {"seeds"}},
                    {}};
  const Frame frame = frame_of(table);
  for (const Row& row : table.rows) {
    const std::string said = said_of(table, row);
    const auto quiet = [&](const std::string& text) {
      return !row.baseline && ResultTable::within(row) ? "<span class=\"nodiff\">" + text + "</span>" : text;
    };
    shown.rows.push_back({escaped(row.name()), shown_size(plan, row),
                          examples::shown(row.of->variation.cell.schedule.max_lr, 2) + (row.of->tuned.at_edge ? "*" : ""), shown_loss(row),
                          quiet(shown_difference(row)), escaped(shown_p(row)), quiet(in_a_word(said)), strip_of(row, table, frame)});
  }
  report.section("table", "Which is better?");
  report.table(shown);
  if (std::any_of(table.rows.begin(), table.rows.end(), [](const Row& row) { return row.of->tuned.at_edge; }))
    report.text("*: at the edge: the outermost rate of the sweep was the best; a farther one may be better still.");
  if (plan.seeds < 3) report.text("Fewer than three seeds tell nothing of a difference.");
}

void rates_tried(Report& report, const ResultTable& table) {
  ReportTable rates{"Mean loss of each learning rate tried, nats per byte; bold: chosen.", {{"variant"}, {"rate: loss"}}, {}};
  for (const Row& row : table.rows) {
    std::vector<std::string> all;
    for (const auto& [rate, loss] : row.of->tuned.tried) {
      const std::string text = fmt::format("{}: {}", shown(rate, 2), std::isnan(loss) ? "diverged" : fixed(loss, 3));
      all.push_back(rate == row.of->variation.cell.schedule.max_lr ? "<strong>" + text + "</strong>" : text);
    }
    rates.rows.push_back({escaped(row.name()), fmt::format("{}", fmt::join(all, " · "))});
  }
  report.table(rates);
}

void how(Report& report, const Plan& plan, const std::vector<Measured>& all, const ResultTable& table) {
  const TrainOptions& cell = all[0].variation.cell;
  report.section("fixed", "What was fixed beforehand");
  report.text(
      fmt::format("The baseline: {} norm, placement {}, positions {}, feed-forward layer {}; width {}, {} blocks, windows of {} "
                  "bytes, {} steps of {} windows.",
                  cell.model.norm.name, cell.model.placement.name, cell.model.position.name, cell.model.feed_forward.name,
                  cell.model.d_model, cell.model.layers, cell.model.context, cell.schedule.total, cell.batch));
  for (const std::string& sentence : fixed_beforehand(plan, table)) report.text(escaped(sentence));
  if (plan.farthest > 0) rates_tried(report, table);
  for (const Measured& measured : all) {
    if (!measured.variation.refused.empty())
      report.text(fmt::format("Not trained: {}. <em>{}</em>", escaped(measured.variation.name), escaped(measured.variation.refused)));
  }
}

}  // namespace

std::string page_of(const Plan& plan, const std::vector<Measured>& all, const ResultTable& table, const Made& made) {
  Report report("", title_of(plan),
                "Each variant at its own best learning rate, with several seeds: which differences are more than "
                "another seed makes?");
  one_number(report, table);
  sorted_table(report, plan, table);
  for (const std::string& picture : plan.show) {
    if (picture == "curves") show_curves(report, table);
    if (picture == "lengths") show_lengths(report, table);
    if (picture == "gradients") show_gradients(report, table);
  }
  how(report, plan, all, table);
  std::vector<std::pair<std::string, std::string>> lines = lines_of(made);
  lines.emplace_back("seeds", fmt::format("{} to {}", plan.first_seed(), plan.first_seed() + static_cast<std::uint64_t>(plan.seeds) - 1));
  lines.emplace_back("numbers", "<code>table.csv</code>, <code>runs.csv</code>, <code>ablation.json</code> beside this page");
  return report.html(lines);
}

}  // namespace gradus::examples
