// ch12_matrix: norm × placement × position × feed-forward, all trained; and how much of what one sees is the seed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/ch12_matrix/claims.h"
#include "examples/ch12_matrix/report.h"
#include "examples/ch12_matrix/study.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/training/progress.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// Names in the library's own tables; the first of each is the baseline's.
const std::vector<Factor> kFactors{
    {"norm", {"rms", "layer", "center-only"}},
    {"placement", {"pre", "post", "deepnorm"}},
    {"position", {"rope", "alibi", "none"}},
    {"feed_forward", {"swiglu", "gelu", "relu"}},
};

// --- the one number: what a seed does ---------------------------------------------------------------------------------

Spread one_number(Chapter& chapter, const Study& study) {
  const std::vector<double> losses = study.baseline_losses();
  const Spread baseline = spread_of(losses);
  chapter.number("baseline.losses", losses);
  chapter.number("baseline.mean", baseline.mean);
  chapter.number("baseline.sigma", baseline.sigma);
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  chapter.report.one_number(
      fmt::format("±{:.3f}", baseline.sigma),
      fmt::format("The one number: σ in nats, by which the loss of one and the same model moves with its seed. {} seeds end "
                  "between {:.3f} and {:.3f}, {:.3f} on the mean. A difference below that says nothing.",
                  baseline.runs, *least, *most, baseline.mean));
  chapter.tell(fmt::format("The baseline, {} seeds: {:.3f} ± {:.3f} nats ({:.3f} to {:.3f}).", baseline.runs, baseline.mean, baseline.sigma,
                           *least, *most));
  const auto four = losses.begin() + 4;
  const auto [better, worse] = std::minmax_element(losses.begin(), four);
  chapter.ask({fmt::format("Model A ends at {:.3f}, model B at {:.3f}. Is A better?", *better, *worse),
               {"Yes: its loss is lower", "Yes, if both ran with the same seed", "One run of each does not tell"},
               2,
               fmt::format("A and B are one model,\nwith seeds {} and {}.",
                           study.first_seed() + static_cast<std::uint64_t>(better - losses.begin()),
                           study.first_seed() + static_cast<std::uint64_t>(worse - losses.begin()))});
  return baseline;
}

// --- the picture, and the same picture of nothing ---------------------------------------------------------------------

double percent_grey(const std::vector<std::vector<double>>& cells, const Spread& baseline) {
  double grey = 0;
  for (const auto& losses : cells) grey += std::abs(losses[0] - baseline.mean) <= 2 * baseline.sigma ? 1 : 0;
  return 100 * grey / static_cast<double>(cells.size());
}

void matrix(Chapter& chapter, const Study& study, const Spread& baseline) {
  const Matrix& all = study.matrix();
  const std::vector<double> z = in_spreads(study.means(1), baseline);
  const double grey = percent_grey(study.live_losses(), baseline);
  chapter.number("matrix.in_spreads", all.rows(z));
  chapter.number("matrix.grey_percent", grey);
  chapter.number("matrix.cells", static_cast<double>(all.live()));
  chapter.number("matrix.refused", static_cast<double>(all.cells.size() - all.live()));
  chapter.tell(
      fmt::format("One run of each of {} other combinations:\n  {:.0f} % of them within ±2 σ of the baseline", all.live() - 1, grey));
  chapter.report.section("matrix", "The matrix");
  chapter.report.text(
      fmt::format("The baseline: RMS norm before each sublayer (pre), RoPE, SwiGLU. For each of the four parts two "
                  "others: {} combinations. All feed-forward layers have as many parameters, with a gate or without.",
                  all.cells.size()));
  chapter.report.figure(
      {fmt::format("{:.0f} % of the other cells are grey: one run does not tell them from the baseline run with "
                   "another seed.",
                   grey),
       draw_matrix(all, z,
                   fmt::format("Heat map of {} cells; rows: norm and placement; columns: position and feed-forward layer. {:.0f} % "
                               "of those besides the baseline are within 2 σ of the baseline. {}",
                               all.live(), grey, widest(all, z))),
       fmt::format("Loss on validation text − the baseline’s mean, over σ = {:.3f}; blue: lower. One run a cell, "
                   "seed {}; the baseline is the cell at top left. Empty: refused by the library. Models of width "
                   "{}, {} blocks, windows of {} bytes, {} steps of {} windows, all at a rate of {}.",
                   baseline.sigma, study.first_seed(), study.base().model.d_model, study.base().model.layers, study.base().model.context,
                   study.sizes().steps, study.base().batch, study.base().schedule.max_lr)});
  chapter.report.formula(
      "{v σ} = {root {frac 1 | n − 1} Σ ({v x}{sub s} − {m x̄}){sup 2}};;{v z} = {frac {v x} − {m x̄} | {v σ}};;{m "
      "SE} = {v σ} {root {frac 1 | {c k}} + {frac 1 | n}}");
  chapter.report.text(
      "x: a run’s loss; x̄ and σ: mean and spread of the baseline’s n seeds; SE, the standard error: what the mean "
      "of k runs is still uncertain by.");
  refusals(chapter, all);
}

void nothing(Chapter& chapter, const Study& study, const Spread& baseline) {
  const std::vector<double> z = in_spreads(study.null_losses(), baseline);
  std::vector<std::vector<double>> runs;
  for (const double loss : study.null_losses()) {
    if (!std::isnan(loss)) runs.push_back({loss});
  }
  const auto cells = static_cast<double>(runs.size());
  const double coloured = 100 - percent_grey(runs, baseline);
  const double expected = 100 * two_sided(2 * baseline.sigma / standard_error(baseline, 1), baseline.runs - 1);  // one run, 2 σ away
  chapter.number("null.in_spreads", study.matrix().rows(z));
  chapter.number("null.coloured_percent", coloured);
  chapter.number("null.expected_percent", expected);
  chapter.tell(fmt::format("The baseline in every cell, {} other seeds:\n  {:.0f} % beyond ±2 σ, by chance alone ({:.0f} % expected)",
                           runs.size(), coloured, expected));
  chapter.report.section("null", "The same matrix of nothing");
  chapter.report.figure(
      {fmt::format("Here every cell is the baseline, and still {:.0f} % are coloured: whoever looks at {:.0f} cells "
                   "finds something.",
                   coloured, cells),
       draw_matrix(study.matrix(), z,
                   fmt::format("Heat map like the first; every cell the baseline with another seed. {:.0f} % lie beyond 2 σ. {}", coloured,
                               widest(study.matrix(), z))),
       fmt::format("{:.0f} runs of the baseline with {:.0f} seeds, in the places of the first figure’s cells. "
                   "Expected by chance: {:.1f} %; it would be 4.6 % if σ were known, and is known from {} runs, to "
                   "about ± {:.0f} %.",
                   cells, cells, expected, baseline.runs, 100 / std::sqrt(2.0 * static_cast<double>(baseline.runs - 1)))});
  chapter.report.text(
      fmt::format("With a chance of 5 % each, {:.0f} comparisons give {:.1f} false alarms, and one at least with a probability "
                  "of {:.1f} %, if they are independent. So who makes many comparisons must ask more of each: the claims below "
                  "divide 5 % by their number (Bonferroni).",
                  cells, 0.05 * cells, 100 * (1 - std::pow(0.95, cells))));
}

// --- four numbers by hand ---------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter, const Study& study, const Spread& baseline) {
  const std::vector<double> x = study.losses(study.base(), 4);
  const double other = study.losses(study.changed("position", "none"), 1)[0];
  const double mean = (x[0] + x[1] + x[2] + x[3]) / 4;
  double squares = 0;
  ReportTable table{"Four runs of the baseline.", {{"run"}, {"loss x", "nats", true}, {"x − x̄", "", true}, {"(x − x̄)²", "", true}}, {}};
  for (std::size_t s = 0; s < x.size(); ++s) {
    const double off = x[s] - mean;
    squares += off * off;
    table.rows.push_back({fmt::format("seed {}", study.first_seed() + s), fixed(x[s], 4), fixed(off, 4), fixed(off * off, 6)});
  }
  table.rows.push_back({"mean x̄, and sums", fixed(mean, 4), "0", fixed(squares, 6)});
  const double sigma = std::sqrt(squares / 3), z = (other - mean) / sigma;
  chapter.number("hand.losses", x);
  chapter.number("hand.other", other);
  chapter.number("hand.result", {mean, sigma, z});
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(fmt::format("σ = √({} / 3) = {}. One run without positions ends at {}, so z = ({} − {}) / {} = {}.",
                                  fixed(squares, 6), fixed(sigma, 4), fixed(other, 4), fixed(other, 4), fixed(mean, 4), fixed(sigma, 4),
                                  fixed(z, 1)));
  chapter.report.text(
      fmt::format("Divide by 3, not by 4: the mean was fitted to the same four numbers, which therefore lie nearer "
                  "to it than to the true one. And four runs know σ only to about ± {:.0f} % (1/√(2 (n − 1))). The "
                  "pictures take {} runs, and there this cell is at {} σ.",
                  100 / std::sqrt(6.0), baseline.runs, fixed((other - baseline.mean) / baseline.sigma, 1)));
}

// --- the knob: more seeds ---------------------------------------------------------------------------------------------

void more_seeds(Chapter& chapter, const Study& study, const Spread& baseline) {
  std::vector<std::vector<double>> changes, nothing(1);
  for (const auto& [family, variants] : kFactors) {
    for (std::size_t v = 1; v < variants.size(); ++v) {
      changes.push_back(study.losses(study.changed(family, variants[v]), study.sizes().pairs));
    }
  }
  for (const double loss : study.null_losses()) {  // in cells of so many seeds
    if (std::isnan(loss)) continue;
    if (static_cast<int64_t>(nothing.back().size()) == study.sizes().pairs) nothing.emplace_back();
    nothing.back().push_back(loss);
  }
  if (static_cast<int64_t>(nothing.back().size()) < study.sizes().pairs) nothing.pop_back();
  const std::vector<Line> lines{significant_line("whole matrix", "f1", study.live_losses(), baseline),
                                significant_line("one change", "f2", changes, baseline),
                                significant_line("nothing", "none", nothing, baseline)};
  chapter.number("seeds.matrix", lines[0].y);
  chapter.number("seeds.one_change", lines[1].y);
  chapter.number("seeds.nothing", lines[2].y);
  chapter.tell(fmt::format("With {} seeds a cell {:.0f} % differ from it significantly, with one {:.0f} %.", study.sizes().seeds,
                           lines[0].y.back(), lines[0].y[0]));
  draw_seeds(chapter, lines, baseline);
}

// --- what each factor does --------------------------------------------------------------------------------------------

void factors(Chapter& chapter, const Study& study, const Spread& baseline) {
  const std::vector<Effect> effects = effects_of(study.matrix(), in_spreads(study.means(study.sizes().seeds), baseline));
  for (const Effect& effect : effects) {
    const Spread over = spread_of(effect.differences);
    chapter.number("factors." + effect.variant, {over.mean, over.sigma, static_cast<double>(over.runs)});
  }
  chapter.tell(fmt::format("\nMain effects, means over all combinations of the others:\n  {}", main_effects(effects)));
  const auto alibi = std::find_if(effects.begin(), effects.end(), [](const Effect& e) { return e.variant == "alibi"; });
  chapter.report.section("factors", "What each factor does");
  chapter.report.text(
      fmt::format("A matrix is more than its cells: each run counts for every factor at once (Fisher, 1935). RoPE is "
                  "replaced by ALiBi in {} combinations of the rest. The mean of those differences is its main "
                  "effect; that they spread says how far it depends on the company.",
                  alibi->differences.size()));
  chapter.report.table(factor_table(effects, study.sizes().seeds));
}

void one_change(Chapter& chapter, const Study& study, const Spread& baseline) {
  const auto comparisons = static_cast<int64_t>(study.changes());
  ReportTable table = change_table(study.sizes().pairs);
  std::vector<std::string> small_but_significant, large_but_insignificant;
  for (const auto& [family, variants] : kFactors) {
    for (std::size_t v = 1; v < variants.size(); ++v) {
      const Paired d = study.against_baseline(family, variants[v]);
      const Spread own = spread_of(study.losses(study.changed(family, variants[v]), study.sizes().pairs));
      add_change(table, spelled(family) + " " + variants[v], d, own, baseline, comparisons);
      chapter.number("change." + variants[v], {d.mean, d.standard_error, d.correlation, d.p});
      const bool large = std::abs(d.mean) >= 2 * baseline.sigma;
      if (large != significant(d, comparisons)) (large ? large_but_insignificant : small_but_significant).push_back(variants[v]);
    }
  }
  chapter.report.section("paired", "One change at a time, paired by seed");
  chapter.report.table(table);
  what_was_significant(chapter, small_but_significant, large_but_insignificant);
  what_pairing_does(chapter, study);
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  const ChapterText text{"12", "The matrix", "Every part with every other: how much of what one sees is the seed?"};
  const std::vector<Knob> knobs{{.flag = "--seeds", .value = &sizes.seeds, .help = "runs of each combination", .least = 1, .most = 8},
                                {.flag = "--steps", .value = &sizes.steps, .help = "of each run", .least = 10, .most = 100000}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    if (chapter.full()) sizes = {.steps = 2 * sizes.steps, .seeds = std::max<int64_t>(sizes.seeds, 8), .pairs = 12, .baseline = 32};
    Progress progress(0, 0, false);
    Journal journal;
    Runs runs(journal, [&](const nlohmann::json& loss) { progress.advance(fmt::format("loss {:.2f}", number_of(loss))); });
    Study study(runs, kFactors, sizes, chapter.seed());
    chapter.tell(fmt::format("{} small models learn from Shakespeare’s plays, {} steps each …", study.runs(), sizes.steps));
    progress.expect(static_cast<int64_t>(study.runs()));
    study.train();
    progress.finish();
    const Spread baseline = one_number(chapter, study);
    matrix(chapter, study, baseline);
    by_hand(chapter, study, baseline);
    nothing(chapter, study, baseline);
    more_seeds(chapter, study, baseline);
    factors(chapter, study, baseline);
    one_change(chapter, study, baseline);
    claims(chapter, study, baseline);
    rates(chapter, study, baseline);
    same_name(chapter, baseline);
    chapter.finish(fmt::format("±{:.3f}: what another seed does to the same model", baseline.sigma));
  });
}
