// ch12_matrix: norm × placement × position × feed-forward, all trained; and how much of what one sees is the seed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/ch12_matrix/claims.h"
#include "examples/ch12_matrix/factors.h"
#include "examples/ch12_matrix/more_seeds.h"
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
  chapter.series("matrix.rows", all.names(0, 1, " "));
  chapter.series("matrix.groups", all.names(2, 2, ""));
  chapter.series("matrix.columns", all.names(3, 3, ""));
  refusals(chapter, all);
}

void nothing(Chapter& chapter, const Study& study, const Spread& baseline) {
  const std::vector<double> z = in_spreads(study.null_losses(), baseline);
  std::vector<std::vector<double>> runs;
  for (const double loss : study.null_losses()) {
    if (!std::isnan(loss)) runs.push_back({loss});
  }
  const double coloured = 100 - percent_grey(runs, baseline);
  const double expected = 100 * two_sided(2 * baseline.sigma / standard_error(baseline, 1), baseline.runs - 1);  // one run, 2 σ away
  chapter.number("null.in_spreads", study.matrix().rows(z));
  chapter.number("null.coloured_percent", coloured);
  chapter.number("null.expected_percent", expected);
  chapter.tell(fmt::format("The baseline in every cell, {} other seeds:\n  {:.0f} % beyond ±2 σ, by chance alone ({:.0f} % expected)",
                           runs.size(), coloured, expected));
}

// --- four numbers by hand ---------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter, const Study& study) {
  const std::vector<double> x = study.losses(study.base(), 4);
  const double other = study.losses(study.changed("position", "none"), 1)[0];
  const double mean = (x[0] + x[1] + x[2] + x[3]) / 4;
  double squares = 0;
  for (const double loss : x) squares += (loss - mean) * (loss - mean);
  const double sigma = std::sqrt(squares / 3), z = (other - mean) / sigma;
  chapter.number("hand.losses", x);
  chapter.number("hand.other", other);
  chapter.number("hand.result", {mean, sigma, z});
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
    keep_setting(chapter, study);
    progress.finish();
    const Spread baseline = one_number(chapter, study);
    matrix(chapter, study, baseline);
    by_hand(chapter, study);
    nothing(chapter, study, baseline);
    more_seeds(chapter, study, baseline);
    factors(chapter, study, baseline);
    one_change(chapter, study);
    claims(chapter, study, baseline);
    rates(chapter, study, baseline);
    same_name(chapter, baseline);
    chapter.finish(fmt::format("±{:.3f}: what another seed does to the same model", baseline.sigma));
  });
}
