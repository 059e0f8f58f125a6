#include "examples/ablate/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

Row row_of(const Measured& measured) {
  Row row{.of = &measured, .losses = {}, .spread = {}, .difference = {}};
  for (const Outcome& outcome : measured.outcomes) {
    row.losses.push_back(outcome.loss);
    row.diverged += std::isnan(outcome.loss) ? 1 : 0;
  }
  row.spread = spread_of(row.losses);
  row.trained = row.diverged > 0 || row.losses.empty() || has_trained(row.losses, measured.pairs);
  return row;
}

}  // namespace

bool ResultTable::within(const Row& row) { return std::abs(row.in_spreads) < 2; }

ResultTable table_of(const std::vector<Measured>& all) {
  ResultTable table;
  for (const Measured& measured : all) {
    if (measured.variation.refused.empty()) table.rows.push_back(row_of(measured));
  }
  check<ValueError>(!table.rows.empty() && !table.rows[0].losses.empty(), "the baseline was not trained");
  table.rows[0].baseline = true;
  table.baseline = table.rows[0];
  table.comparisons = std::count_if(table.rows.begin(), table.rows.end(), [](const Row& row) { return !row.baseline && row.trained; });
  for (Row& row : table.rows) {
    if (row.baseline) continue;
    if (!row.trained || !table.baseline.trained) {
      row.in_spreads = row.p = row.difference.mean = row.difference.standard_error = row.difference.p = NAN;
      continue;
    }
    row.in_spreads = (row.spread.mean - table.baseline.spread.mean) / table.baseline.spread.sigma;
    row.difference = paired(row.losses, table.baseline.losses);
    row.p = std::min(1.0, row.difference.p * static_cast<double>(table.comparisons));
  }
  const auto order = [](const Row& row) { return row.diverged > 0 ? HUGE_VAL : row.spread.mean; };
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const Row& a, const Row& b) { return order(a) < order(b); });
  return table;
}

std::string shown_loss(const Row& row) {
  if (row.diverged > 0) return fmt::format("diverged {}/{}", row.diverged, row.losses.size());
  return row.losses.size() < 2 ? fixed(row.spread.mean, 4) : fmt::format("{} ± {}", fixed(row.spread.mean, 4), fixed(row.spread.sigma, 4));
}

std::string shown_difference(const Row& row) {
  if (row.baseline) return "0";
  if (std::isnan(row.in_spreads)) return "–";
  return (ResultTable::within(row) ? "≈ " : "") + std::string(row.in_spreads > 0 ? "+" : "") + fixed(row.in_spreads, 1);
}

std::string shown_p(const Row& row) {
  if (row.baseline || std::isnan(row.in_spreads)) return "–";
  return row.p < 1e-3 ? "<0.001" : fixed(row.p, 3);
}

// What was made equal, as far as it is seen: parameters, or the steps that the time allows.
std::string shown_size(const Plan& plan, const Row& row) {
  if (plan.equal == Equal::time) return fmt::format("{} ({}×)", row.of->variation.cell.schedule.total, fixed(row.of->ratio, 2));
  return with_commas(row.of->variation.parameters);
}

std::string said_of(const ResultTable& table, const Row& row) {
  if (!row.trained) return "has not trained";
  if (row.baseline) return "baseline";
  if (row.diverged > 0) return "diverged";
  if (!table.baseline.trained) return "the baseline has not trained";
  if (row.losses.size() < 3 || std::isnan(row.in_spreads)) return "too few seeds";
  const bool small = ResultTable::within(row);
  if (!significant(row.difference, table.comparisons)) return small ? "no difference seen" : "not significant";
  return std::string(small ? "slightly " : "") + (row.difference.mean < 0 ? "lower" : "higher");
}

std::string terminal_table(const Plan& plan, const ResultTable& table) {
  constexpr std::size_t name_width = 20;
  std::string text = fmt::format("    {:<20} {:>12} {:>8} {:>15} {:>8} {:>6}\n", "variant",
                                 plan.equal == Equal::time ? "steps (time)" : "parameters", "rate", "loss ± σ", "Δ in σ", "p");
  bool edge = false, untrained = false;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    std::string name = row.of->variation.name;
    text += fmt::format("{:>2}  ", i + 1);
    if (name.size() > name_width) text += std::exchange(name, "") + "\n    ";
    const bool at_edge = row.of->tuned.at_edge;
    edge = edge || at_edge;
    untrained = untrained || !row.trained;
    text += fmt::format("{:<20} {:>12} {:>8} {:>15} {:>8} {:>6}\n", name, shown_size(plan, row),
                        fmt::format("{:.2g}{}", row.of->variation.cell.schedule.max_lr, at_edge ? "*" : ""),
                        shown_loss(row) + (row.trained ? "" : "†"), shown_difference(row), shown_p(row));
  }
  text += fmt::format("Baseline: {}. Δ in σ of its {} seeds.\n", table.baseline.of->variation.name, plan.seeds);
  text += "≈: within 2 σ, as another seed does; with p above 0.05 no difference seen.\n";
  text += fmt::format("p: paired by seed, Student’s t, times {} comparison{}.\n", table.comparisons, table.comparisons == 1 ? "" : "s");
  if (untrained)
    text += fmt::format("†: has not trained: not below what counting pairs of bytes costs, {} nats.\n", fixed(table.baseline.of->pairs, 2));
  if (edge) text += "*: at the edge: the outermost rate was the best; a farther one may be better.\n";
  if (plan.seeds < 3) text += "Fewer than three seeds are too few to say: --seeds 3, or more.\n";
  return text;
}

std::vector<std::string> fixed_beforehand(const Plan& plan, const ResultTable& table) {
  const std::uint64_t first = plan.first_seed();
  std::vector<std::string> all{
      fmt::format("The comparison has the seeds {} to {}, the same for all variants: differences are taken seed by seed.", first,
                  first + static_cast<std::uint64_t>(plan.seeds) - 1)};
  if (plan.farthest > 0) {
    all.push_back(fmt::format(
        "Each variant is compared at its own learning rate: the best by seed{} {}{}, of the given rate, half of it "
        "and "
        "twice, and on by factors of 2 while the outermost is the best, to {} times it, or its {}th part, at most.",
        plan.sweep_seeds > 1 ? "s" : "", plan.sweep().first_seed,
        plan.sweep_seeds > 1 ? fmt::format(" to {}", plan.sweep().first_seed + static_cast<std::uint64_t>(plan.sweep_seeds) - 1) : "",
        1 << plan.farthest, 1 << plan.farthest));
    all.emplace_back("p takes these rates as given: that other seeds might have chosen others is not in it.");
  } else {
    all.emplace_back("All are trained at the learning rate that was given: there was no sweep.");
  }
  all.emplace_back(
      plan.equal == Equal::parameters ? "Equal parameters: the width of the feed-forward layer is the one with which the whole model’s "
                                        "count is nearest to the baseline’s."
      : plan.equal == Equal::time     ? "Equal time: a step was timed against the baseline’s, in turns, and each variant has as many "
                                        "steps as take the baseline’s time."
                                      : "Nothing was made equal: shapes and steps are as given.");
  all.push_back(
      fmt::format("σ is the spread of the baseline’s seeds: a difference within ±2 σ is no more than another seed "
                  "does. It is significant if p, "
                  "paired by seed and multiplied by the number of comparisons, {}, is below 0.05 (Student, 1908; "
                  "Bonferroni); small "
                  "and not significant: no difference seen.{}",
                  table.comparisons, plan.seeds < 3 ? " Fewer than three seeds are too few." : ""));
  all.push_back(fmt::format(
      "A variant has trained if each of its runs is below {} nats, the loss of a model that knows how often each byte comes after "
      "which and nothing else, and their mean by more than their spread. One that has not is compared with nothing.{}",
      fixed(table.baseline.of->pairs, 2),
      plan.farthest > 0 ? fmt::format(" While none of its rates gets {} nats below counting single bytes, {} nats, the sweep goes on, down "
                                      "to a {}th of the given rate.",
                                      kBegun, fixed(table.baseline.of->untaught, 2), 1 << kDeepest)
                        : ""));
  return all;
}

}  // namespace gradus::examples
