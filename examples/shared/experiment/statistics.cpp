#include "examples/shared/experiment/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/check.h"

namespace gradus::examples {
namespace {

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// Σ (x - mean x) (y - mean y) / (n - 1)
double covariance(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x), mean_y = mean_of(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum / (static_cast<double>(x.size()) - 1);
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

bool has_trained(const std::vector<double>& losses, double untaught) {
  constexpr double clearly = 0.1;
  const Spread spread = spread_of(losses);
  const bool each = std::all_of(losses.begin(), losses.end(), [&](double loss) { return untaught - loss > clearly; });
  return each && untaught - spread.mean > (spread.runs > 1 ? spread.sigma : 0);
}

double percent_told(const std::vector<std::vector<double>>& cells, int64_t runs, const Spread& baseline) {
  const double limit = 2 * standard_error(baseline, runs);
  double told = 0, asked = 0;
  for (const std::vector<double>& losses : cells) {
    for (unsigned chosen = 0; chosen < 1u << losses.size(); ++chosen) {
      if (std::popcount(chosen) != runs) continue;
      double sum = 0;
      for (std::size_t i = 0; i < losses.size(); ++i) sum += (chosen >> i & 1) != 0 ? losses[i] : 0;
      const bool within = std::abs(sum / static_cast<double>(runs) - baseline.mean) <= limit;
      told += within ? 0 : 1;  // one that diverged is told
      ++asked;
    }
  }
  return 100 * told / asked;
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
  Paired result{
      .pairs = spread.runs,
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

bool told(const Paired& difference, std::int64_t comparisons) {
  return difference.pairs >= 3 && difference.p * static_cast<double>(comparisons) < kLevel;
}

double pairs_to_tell(const Paired& difference, std::int64_t comparisons) {
  Paired more = difference;
  const double sigma = difference.standard_error * std::sqrt(static_cast<double>(difference.pairs));
  for (double pairs = 3; pairs < 1e5; pairs *= 1.02) {
    more.pairs = std::lround(pairs);
    more.p = two_sided(difference.mean / (sigma / std::sqrt(pairs)), more.pairs - 1);
    if (told(more, comparisons)) return pairs;
  }
  return 1e5;
}

bool equal_within(const Paired& d, double margin) {
  if (d.pairs < 3 || !(std::abs(d.mean) < margin)) return false;
  const double nearer = (margin - std::abs(d.mean)) / d.standard_error;  // the other border is the easier test
  return two_sided(nearer, d.pairs - 1) / 2 < kLevel;
}

Verdict lower(const Paired& difference, std::int64_t comparisons) {
  if (!told(difference, comparisons)) return Verdict::undecided;
  return difference.mean < 0 ? Verdict::confirmed : Verdict::refuted;
}

}  // namespace gradus::examples
