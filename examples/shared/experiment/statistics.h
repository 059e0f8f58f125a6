// What seeds alone do, and what may be said of a difference in spite of it.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/shared/report/verdict.h"

namespace gradus::examples {

struct Spread {
  std::int64_t runs = 0;
  double mean = 0;
  double sigma = 0;  // √(Σ (x - mean)² / (runs - 1)): how far another seed is from the mean, usually; NaN for one run
};
Spread spread_of(const std::vector<double>& losses);

// The standard error of the difference between the mean of `runs` runs of a cell and the baseline's mean, if each run of
// either is σ off: σ √(1/runs + 1/baseline.runs).
double standard_error(const Spread& baseline, std::int64_t runs);

// (loss - mean) / σ
std::vector<double> in_spreads(std::vector<double> losses, const Spread& baseline);

// Has a model learned more than a simple counter, whose loss is `line`? The mean of its runs is lower by more than their spread,
// and none of them is above it.
bool has_trained(const std::vector<double>& losses, double line);

// How many of 100 cells differ significantly from the baseline by the mean of `runs` of their seeds: by more than two standard errors.
// The mean over all choices of `runs` of the seeds.
double percent_significant(const std::vector<std::vector<double>>& cells, int64_t runs, const Spread& baseline);

// P(|T| > |t|) for Student's T (1908) of `degrees` degrees of freedom, by the finite series of Abramowitz and Stegun (1964),
// 26.7.3 and 26.7.4. ValueError unless degrees >= 1.
double two_sided(double t, std::int64_t degrees);

// Two lists of losses, seed by seed: the difference first - second.
struct Paired {
  std::int64_t pairs = 0;
  double mean = 0;
  double standard_error = 0;  // that of the mean, by the spread of the differences themselves
  double correlation = 0;     // of the two losses: 1: what a seed does, it does to both
  double p = 1;               // of a mean this far from 0 or farther by chance: Student's t

  Paired reversed() const;  // second - first
};
Paired paired(const std::vector<double>& first, const std::vector<double>& second);

constexpr double kLevel = 0.05;  // the chance of a false alarm, in all comparisons together

// Is there a difference? With `comparisons` of them made together, each has to be so much rarer (Bonferroni). Fewer than
// three pairs tell nothing.
bool significant(const Paired& difference, std::int64_t comparisons);
// About how many pairs make a difference of this mean and this spread significant in four of five trials (a power of 80 %):
// ((z_{1-α/2} + z_{0.8}) σ / mean)² + z²_{1-α/2} / 2 (Guenther, 1981), at most 10⁵.
double pairs_needed(const Paired& difference, std::int64_t comparisons);
// The exact p of Wilcoxon's signed ranks (1945), two-sided: how often ±1, ±2, … ±n have a sum so far from 0 by chance. Equal
// sizes share their mean rank; zeros are left out. It asks nothing of the values' distribution.
double signed_rank(const std::vector<double>& differences);
// Is there none beyond ± margin? Two one-sided tests (Schuirmann, 1987). Not to have seen one does not mean that.
bool equal_within(const Paired& difference, double margin);

// The claim that the first's loss is lower: significantly so, significantly not so, not significant.
Verdict lower(const Paired& difference, std::int64_t comparisons);

}  // namespace gradus::examples
