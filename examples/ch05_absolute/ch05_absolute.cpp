// ch05_absolute: a row of waves for each position, what dot products know of distance, what a projection leaves of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch05_absolute/learned_and_recurrent.h"
#include "examples/shared/data/median.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/distance_law.h"
#include "examples/shared/study/projected_scores.h"
#include "examples/shared/study/sinusoidal_heatmap.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

constexpr int64_t kLength = 100, kWidth = 512, kHead = 64;

Tensor scores(const Tensor& table) { return matmul(table, table, {.transpose_b = true}); }

// The share of the scores' variance that distance explains, one number a seed, sorted.
std::vector<double> shares(const Chapter& chapter, const Tensor& table, int64_t width, bool shared = false) {
  std::vector<double> all;
  for (std::uint64_t i = 0; i < (chapter.full() ? 64 : 16); ++i) {
    Generator random(chapter.seed() + i);
    all.push_back(distance_law(projected_scores(table, width, random, shared)).share);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// --- the one picture ----------------------------------------------------------------------------------------

std::vector<double> stripes(Chapter& chapter, const Tensor& table) {
  Generator random(chapter.seed());
  const Tensor before = scores(table), after = projected_scores(table, kHead, random);
  const double share_before = distance_law(before).share;
  const std::vector<double> after_all = shares(chapter, table, kHead);
  const double share_after = median(after_all);
  chapter.number("projection.before", share_before);
  chapter.number("projection.after", share_after);
  chapter.number("projection.after_least", after_all.front());
  chapter.number("projection.after_greatest", after_all.back());
  chapter.number("projection.after_seeds", after_all);
  chapter.report.one_number(fmt::format("{:.3f} → {:.3f}", share_before, share_after),
                            fmt::format("The one number: share of the variance of the scores between {} positions that their distance "
                                        "explains, before and after random projections {} → {} (median of {} seeds).",
                                        kLength, kWidth, kHead, after_all.size()));
  chapter.ask(
      {"PE·PEᵀ depends on the distance alone. A head computes PE·W_qᵀ·W_k·PEᵀ, and\n"
       "W_q, W_k start random. How much of that does it still know?",
       {"all: a linear map keeps what is linear", "most: 64 numbers are enough for 100 positions", "little: the waves are mixed"},
       2,
       "Each wave's sine and\ncosine must keep the same weight, and W_qᵀW_k gives them random ones"});
  chapter.tell(
      fmt::format("share of the scores' variance that distance explains:\n  as they are   {:.3f}\n  after W_q, W_k {:.3f}  "
                  "({:.3f} to {:.3f} over {} seeds)",
                  share_before, share_after, after_all.front(), after_all.back(), after_all.size()));

  const std::vector<Panel> both{{"PE·PEᵀ", fmt::format("distance explains {:.3f}", share_before), draw(map_of_scores(before))},
                                {"PE W<sub>q</sub>ᵀW<sub>k</sub> PEᵀ, random W",
                                 fmt::format("distance explains {:.3f}", distance_law(after).share), draw(map_of_scores(after))}};
  chapter.report.section("stripes", "Stripes, and what a projection leaves of them");
  chapter.report.figure(
      {"Every diagonal has one colour: the score knows the distance. After a random projection the stripes are gone.",
       panels(both, 18) + key_of(map_of_scores(before), "score, in standard deviations from the mean"),
       fmt::format("Scores of all pairs of {0} positions, query down, key across. Left: the rows themselves. Right: after "
                   "W<sub>q</sub> and W<sub>k</sub> [{1} × {2}] from N(0, 1/{2}), seed {3}. Redraw: <code>./examples/run "
                   "ch05</code>",
                   kLength, kHead, kWidth, chapter.seed())});
  chapter.report.formula(
      "{v PE}{sub p,2i} = sin {m ω}{sub i}p;;{v PE}{sub p,2i+1} = cos {m ω}{sub i}p;;"
      "{m ω}{sub i} = {c base}{sup −2i/{m d}}");
  return after_all;
}

void heat_maps(Chapter& chapter, double base) {
  const auto map = [&](nn::SineLayout layout) {
    return HeatMap{.rows = rows_of(sinusoidal_heatmap(layout, base)), .scale = HeatMap::Scale::sign, .limit = 1, .cell = 1.35, .alt = {}};
  };
  const HeatMap interleaved = map(nn::SineLayout::interleaved), halves = map(nn::SineLayout::concatenated);
  const std::string drawings =
      panels(
          {{"interleaved: sin, cos, sin, cos, …", "Wavelengths grow from left to right; sines and cosines alternate.", draw(interleaved)},
           {"halves: all sines, then all cosines", "The same numbers in another order: the right half starts at 1.", draw(halves)}},
          30) +
      key_of(interleaved, "entry of the table");
  chapter.report.figure({"One row a position, one wave a column: fast ones tell neighbours apart, slow ones tell where in the text.",
                         drawings,
                         fmt::format("The sinusoidal table, {} positions down, {} dimensions across, base {}, in both layouts.", kLength,
                                     kWidth, shown(base))});
  const Tensor a = sinusoidal_heatmap(nn::SineLayout::interleaved, base), b = sinusoidal_heatmap(nn::SineLayout::concatenated, base);
  const double difference = max(abs(index_select(a, -1, nn::halves_from_pairs(kWidth)) - b)).item();
  chapter.number("layout.difference_after_permutation", difference);
}

// --- numbers by hand ----------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor small = nn::formula::sinusoidal(arange(3), 4);  // ω = 1 and 1/100
  ReportTable table{"Width 4: two waves, ω<sub>0</sub> = 1 and ω<sub>1</sub> = 10000<sup>−1/2</sup> = 0.01.",
                    {{"position p"}, {"sin p", "", true}, {"cos p", "", true}, {"sin p/100", "", true}, {"cos p/100", "", true}},
                    {}};
  for (int64_t p = 0; p < 3; ++p) {
    table.rows.push_back({std::to_string(p)});
    for (int64_t i = 0; i < 4; ++i) table.rows.back().push_back(fixed(small.at({p, i}), 4));
  }
  const Tensor dots = scores(small);
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(
      fmt::format("PE<sub>0</sub>·PE<sub>1</sub> = {:.4f} = PE<sub>1</sub>·PE<sub>2</sub> = cos 1 + cos 0.01: sin a sin b + cos "
                  "a cos b = cos(a − b), one term a wave. PE<sub>0</sub>·PE<sub>2</sub> = {:.4f}.",
                  dots.at({0, 1}), dots.at({0, 2})));
  chapter.number("hand.row_1", values_of(small[1]));
  chapter.number("hand.dot_0_1", dots.at({0, 1}));
  chapter.number("hand.dot_1_2", dots.at({1, 2}));
}

// --- two theorems -------------------------------------------------------------------------------------------

void theorems(Chapter& chapter, const Tensor& table, double base) {
  double shift_error = 0, dot_error = 0;
  for (const double distance : {1.0, 7.0, 50.0, 99.0}) {
    const auto d = static_cast<int64_t>(distance);
    const Tensor here = slice(table, 0, 0, kLength - d), there = slice(table, 0, d);
    const Tensor rotated = matmul(here, nn::formula::sinusoidal_shift(kWidth, distance, base), {.transpose_b = true});
    shift_error = std::max(shift_error, max(abs(rotated - there)).item());
    const Tensor dots = sum(here * there, {-1});
    dot_error = std::max(dot_error, max(abs(dots - nn::formula::sinusoidal_dot(kWidth, distance, base))).item());
  }
  const Tensor s = scores(table);
  const double direction = max(abs(s - transpose(s))).item();
  chapter.number("shift.error", shift_error);
  chapter.number("dot.error", dot_error);
  chapter.number("dot.asymmetry", direction);
  chapter.tell(
      fmt::format("PE(p+Δ) is a rotation of PE(p), the same one for all p: error {:.1e}\n"
                  "PE(p)·PE(p+Δ) = Σ cos ωΔ: error {:.1e}; Δ and −Δ differ by {:.1e}",
                  shift_error, dot_error, direction));
  chapter.report.section("theorems", "A shift is a rotation, a dot product is a distance");
  chapter.report.formula(
      "sin {m ω}(p+Δ) = cos {m ω}Δ · sin {m ω}p + sin {m ω}Δ · cos {m ω}p;;"
      "cos {m ω}(p+Δ) = −sin {m ω}Δ · sin {m ω}p + cos {m ω}Δ · cos {m ω}p;;"
      "PE{sub p}·PE{sub p+Δ} = Σ{sub i} cos {m ω}{sub i}Δ");
  chapter.report.text(
      fmt::format("One matrix for each distance Δ, whatever p: over Δ = 1, 7, 50, 99 and all p the greatest error is {}. The dot "
                  "product is the sum of the cosines to within {}; and as cos(−x) = cos x, PE<sub>p</sub>·PE<sub>p+Δ</sub> and "
                  "PE<sub>p</sub>·PE<sub>p−Δ</sub> differ by {}: a distance without a direction.",
                  shown(shift_error, 2), shown(dot_error, 2), shown(direction)));
}

// --- the knob: the base --------------------------------------------------------------------------------------

// The least distance between the rows of two positions.
double least_distance(const Tensor& table) {
  const Tensor squares = sum(table * table, {-1}, true);
  const Tensor apart = squares + transpose(squares) - 2 * scores(table) + eye(kLength, -1, DType::f64) * 1e9;
  return std::sqrt(std::max(0.0, min(apart).item()));
}

void bases(Chapter& chapter, double base) {
  std::vector<double> all{10, 100, 10000, 1e6};
  if (std::find(all.begin(), all.end(), base) == all.end()) all.push_back(base);
  Plot plot{.title = "Dot product of two rows against their distance, for several bases",
            .alt = {},
            .x = {"distance Δ", false, 0, 99},
            .y = {"PE·PE, relative to its value at Δ = 0", false, -0.5, 1.05},
            .lines = {}};
  ReportTable table{
      "With a small base all waves are fast and far rows differ as much as near ones; with a large one most hardly move. The rows of a "
      "wave have length 16.",
      {{"base"},
       {"longest wave", "positions", true},
       {"waves that turn once in 100", "of 256", true},
       {"nearest two rows", "distance", true},
       {"dot product at Δ = 50", "of that at 0", true}},
      {}};
  const std::vector<std::string> colours{"f2", "f4", "f1", "f3", "ink"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    Line line{.name = shown(all[i]), .x = {}, .y = {}, .colour = colours[i]};
    for (int distance = 0; distance < kLength; ++distance) {
      line.x.push_back(distance);
      line.y.push_back(nn::formula::sinusoidal_dot(kWidth, distance, all[i]) / (kWidth / 2.0));
    }
    const Tensor waves = 2 * M_PI / nn::formula::sine_frequencies(kWidth, all[i]);
    const double longest = max(waves).item(), turning = sum(cast(waves <= 100, DType::f64)).item();
    const double apart = least_distance(sinusoidal_heatmap(nn::SineLayout::interleaved, all[i]));
    table.rows.push_back({shown(all[i]), shown(longest), shown(turning), fixed(apart, 2), fixed(line.y[50], 2)});
    const std::string path = fmt::format("base.{:.0f}", all[i]);
    chapter.number(path + ".longest_wave", longest);
    chapter.number(path + ".least_distance", apart);
    chapter.number(path + ".dot_at_50", line.y[50]);
    plot.alt += fmt::format(" Base {}: {:.2f} at distance 10, {:.2f} at 50.", shown(all[i]), line.y[10], line.y[50]);
    plot.lines.push_back(std::move(line));
  }
  plot.alt = "Line plot. x: distance from 0 to 99; y: dot product of two rows relative to that at distance 0." + plot.alt;
  chapter.report.section("base", "The knob: the base");
  chapter.report.figure({"With base 10 the curve falls at once and echoes; with 10⁶ far and near look much the same.", draw(plot),
                         "Σ cos ωΔ / 256 against the distance, labels: the base. Turn it yourself: <code>./examples/run "
                         "ch05 --base 500</code>"});
  chapter.report.table(table);
}

// --- the experiment: how wide must the projection be? ---------------------------------------------------------

void widths(Chapter& chapter, const Tensor& table) {
  Plot plot{.title = "Share explained by distance against the width of the projection",
            .alt = {},
            .x = {"width of the head", true, 4, 512},
            .y = {"share of the variance that distance explains", false, 0, 1.05},
            .lines = {}};
  std::string alt;
  for (const bool shared : {false, true}) {
    Line line{.name = shared ? "one W" : "two W", .x = {}, .y = {}, .colour = shared ? "f3" : "f1", .low = {}, .high = {}};
    for (int64_t width = 4; width <= 512; width *= 2) {
      const std::vector<double> all = shares(chapter, table, width, shared);
      line.x.push_back(static_cast<double>(width));
      line.y.push_back(median(all));
      line.low.push_back(all.front());
      line.high.push_back(all.back());
    }
    chapter.number(shared ? "widths.shared" : "widths.apart", line.y);
    alt += fmt::format(" {}: from {:.2f} at width 4 to {:.2f} at 512.", shared ? "One shared W" : "Two matrices", line.y.front(),
                       line.y.back());
    plot.lines.push_back(std::move(line));
  }
  plot.alt = "Line plot, x: width of the projection from 4 to 512, log; y: share from 0 to 1." + alt;
  chapter.report.section("experiment", "Does a wider head keep more?");
  chapter.report.figure(
      {"Width alone does not help: only where both projections are the same matrix does distance come back.", draw(plot),
       "Median and range over the seeds. Two W: W<sub>q</sub> and W<sub>k</sub> drawn apart, as in attention. One W: "
       "W<sub>k</sub> = W<sub>q</sub>, so that W<sub>q</sub>ᵀW<sub>k</sub> comes nearer to the identity the wider it is."});
}

void claims(Chapter& chapter, const std::vector<double>& after) {
  chapter.report.section("claims", "Claims of the notes");
  chapter.claim("projection-destroys-sinusoidal-distance",
                "After W<sub>q</sub> and W<sub>k</sub>, the dot product of two sinusoidal "
                "rows no longer shows their distance.",
                after.back() < 0.5 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("For random projections: {:.2f} to {:.2f} of the variance over {} seeds, against 1. Rule: seen here if each "
                            "seed leaves less than half. Training may learn otherwise; W<sub>k</sub> = W<sub>q</sub> shows that it can.",
                            after.front(), after.back(), after.size()));
  chapter.report.section("conventions", "Same name, other formula");
  chapter.report.text(
      "Interleaved or halves: the same numbers in another order. Any W that follows can be permuted alike, so no model is "
      "better "
      "for it; but weights trained with one are wrong with the other. After the permutation the tables differ by exactly 0. "
      "The i of the formula counts <em>pairs</em>: code whose i steps by two and doubles it again has other waves.");
}

}  // namespace

int main(int argc, char** argv) {
  double base = 10000;
  const ChapterText text{"05", "Absolute positions", "Attention sees no order; a row of waves for each position tells it.",
                         learned_positions_tape};
  const std::vector<Knob> knobs{{.flag = "--base", .value = &base, .help = "of the wavelengths", .least = 2}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    const Tensor table = sinusoidal_heatmap(nn::SineLayout::interleaved, base);
    const std::vector<double> after = stripes(chapter, table);
    heat_maps(chapter, base);
    by_hand(chapter);
    theorems(chapter, table, base);
    bases(chapter, base);
    widths(chapter, table);
    learned(chapter);
    recurrent(chapter);
    claims(chapter, after);
    chapter.finish(fmt::format("{:.3f} → {:.3f}", distance_law(scores(table)).share, median(after)));
  });
}
