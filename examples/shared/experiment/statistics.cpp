#include "examples/shared/experiment/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/check.h"

namespace gradus::examples {
namespace {

double mean_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

// Σ (x - mean x) (y - mean y) / (n - 1)
double covariance(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x), mean_y = mean_of(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum / (static_cast<double>(x.size()) - 1);
}

// x with P(Z < x) = p for a standard normal Z, by halving.
double normal_quantile(double p) {
  double low = -40, high = 40;
  while (high - low > 1e-12) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < p ? low : high) = middle;
  }
  return low;
}

}  // namespace

Spread spread_of(const std::vector<double>& losses) {
  return {static_cast<std::int64_t>(losses.size()), mean_of(losses), std::sqrt(covariance(losses, losses))};
}

double standard_error(const Spread& baseline, std::int64_t runs) {
  return baseline.sigma * std::sqrt(1 / static_cast<double>(runs) + 1 / static_cast<double>(baseline.runs));
}

std::vector<double> in_spreads(std::vector<double> losses, const Spread& baseline) {
  for (double& x : losses) x = (x - baseline.mean) / baseline.sigma;
  return losses;
}

bool has_trained(const std::vector<double>& losses, double line) {
  const Spread spread = spread_of(losses);
  const bool each = std::all_of(losses.begin(), losses.end(), [&](double loss) { return loss < line; });
  return each && spread.mean + (spread.runs > 1 ? spread.sigma : 0) < line;
}

double percent_significant(const std::vector<std::vector<double>>& cells, int64_t runs, const Spread& baseline) {
  const double limit = 2 * standard_error(baseline, runs);
  double significant = 0, asked = 0;
  for (const std::vector<double>& losses : cells) {
    for (unsigned chosen = 0; chosen < 1u << losses.size(); ++chosen) {
      if (std::popcount(chosen) != runs) continue;
      double sum = 0;
      for (std::size_t i = 0; i < losses.size(); ++i) sum += (chosen >> i & 1) != 0 ? losses[i] : 0;
      const bool within = std::abs(sum / static_cast<double>(runs) - baseline.mean) <= limit;
      significant += within ? 0 : 1;  // one that diverged is, too
      ++asked;
    }
  }
  return 100 * significant / asked;
}

double two_sided(double t, std::int64_t degrees) {
  check<ValueError>(degrees >= 1, "two_sided: needs at least one degree of freedom, got {}", degrees);
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
  const double c = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? c : 1, sum = degrees == 1 ? 0 : term;
  for (std::int64_t k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= static_cast<double>(k - 1) / static_cast<double>(k) * c * c;
    sum += term;
  }
  const double inside = odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return 1 - inside;
}

Paired paired(const std::vector<double>& first, const std::vector<double>& second) {
  check<ValueError>(first.size() == second.size(), "paired: {} losses against {}", first.size(), second.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(first[i] - second[i]);
  const Spread spread = spread_of(differences);
  Paired result{.pairs = spread.runs,
                .mean = spread.mean,
                .standard_error = spread.sigma / std::sqrt(static_cast<double>(spread.runs)),
                .correlation = covariance(first, second) / std::sqrt(covariance(first, first) * covariance(second, second))};
  if (spread.runs > 1) result.p = two_sided(result.mean / result.standard_error, spread.runs - 1);
  return result;
}

Paired Paired::reversed() const {
  Paired other = *this;
  other.mean = -mean;
  return other;
}

bool significant(const Paired& difference, std::int64_t comparisons) {
  return difference.pairs >= 3 && difference.p * static_cast<double>(comparisons) < kLevel;
}

double pairs_needed(const Paired& difference, std::int64_t comparisons) {
  constexpr double kPower = 0.8, kMost = 1e5;
  const double sigma = difference.standard_error * std::sqrt(static_cast<double>(difference.pairs));
  const double z = normal_quantile(1 - kLevel / static_cast<double>(comparisons) / 2), effect = std::abs(difference.mean) / sigma;
  const double pairs = std::pow((z + normal_quantile(kPower)) / effect, 2) + z * z / 2;
  return pairs < kMost ? std::max(3.0, pairs) : kMost;
}

double signed_rank(const std::vector<double>& differences) {
  if (std::any_of(differences.begin(), differences.end(), [](double d) { return std::isnan(d); })) return 1;
  std::vector<double> sorted = differences;
  std::erase(sorted, 0);
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::vector<double> chance{1};  // of each sum of the ranks, which are doubled and so whole; for none of them: 0
  std::size_t positive = 0;       // the sum of those that came with a plus
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    while (last < sorted.size() && std::abs(sorted[last]) == std::abs(sorted[first])) ++last;
    const std::size_t rank = first + last + 1;  // twice the mean of first + 1 … last
    for (std::size_t i = first; i < last; ++i) {
      positive += sorted[i] > 0 ? rank : 0;
      std::vector<double> more(chance.size() + rank);
      for (std::size_t sum = 0; sum < chance.size(); ++sum) more[sum] += chance[sum] / 2, more[sum + rank] += chance[sum] / 2;
      chance = std::move(more);
    }
  }
  const std::size_t smaller = std::min(positive, chance.size() - 1 - positive);
  return std::min(1.0, 2 * std::accumulate(chance.begin(), chance.begin() + static_cast<std::ptrdiff_t>(smaller) + 1, 0.0));
}

bool equal_within(const Paired& d, double margin) {
  if (d.pairs < 3 || !(std::abs(d.mean) < margin)) return false;
  const double nearer = (margin - std::abs(d.mean)) / d.standard_error;  // the other border is the easier test
  return two_sided(nearer, d.pairs - 1) / 2 < kLevel;
}

Verdict lower(const Paired& difference, std::int64_t comparisons) {
  if (!significant(difference, comparisons)) return Verdict::undecided;
  return difference.mean < 0 ? Verdict::confirmed : Verdict::refuted;
}

}  // namespace gradus::examples
