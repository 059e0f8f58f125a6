// ch05_absolute: a row of waves for each position, what dot products know of distance, what a projection leaves of it.
#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "examples/ch05_absolute/bases.h"
#include "examples/ch05_absolute/learned_and_recurrent.h"
#include "examples/ch05_absolute/table.h"
#include "examples/ch05_absolute/widths.h"
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

constexpr int64_t kHead = 64;

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

  chapter.series("stripes.before", standardized(before));
  chapter.series("stripes.after", standardized(after));
  chapter.series("stripes.share_after", distance_law(after).share);
  return after_all;
}

void layouts(Chapter& chapter, double base) {
  const Tensor a = sinusoidal_heatmap(nn::SineLayout::interleaved, base), b = sinusoidal_heatmap(nn::SineLayout::concatenated, base);
  const double difference = max(abs(index_select(a, -1, nn::halves_from_pairs(kWidth)) - b)).item();
  chapter.number("layout.difference_after_permutation", difference);
  chapter.series("table", rows_of(a));
}

// --- numbers by hand ----------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor small = nn::formula::sinusoidal(arange(3), 4);  // ω = 1 and 1/100
  const Tensor dots = scores(small);
  chapter.series("hand.rows", rows_of(small));
  chapter.series("hand.dot_0_2", dots.at({0, 2}));
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
}

// --- the claim ----------------------------------------------------------------------------------------------

void claims(Chapter& chapter, const std::vector<double>& after) {
  chapter.claim("projection-destroys-sinusoidal-distance",
                "After W_q and W_k, the dot product of two sinusoidal "
                "rows no longer shows their distance.",
                after.back() < 0.5 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("For random projections: {:.2f} to {:.2f} of the variance over {} seeds, against 1. Rule: seen here if each "
                            "seed leaves less than half. Training may learn otherwise; W_k = W_q shows that it can.",
                            after.front(), after.back(), after.size()));
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
    layouts(chapter, base);
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
