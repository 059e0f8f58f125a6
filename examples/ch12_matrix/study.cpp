#include "examples/ch12_matrix/study.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace gradus::examples {
namespace {

double mean_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

}  // namespace

Study::Study(Runs& runs, const std::vector<Factor>& factors, const Sizes& sizes, std::uint64_t seed)
    : runs_(runs), matrix_(small_model(sizes.steps), factors), sizes_(sizes), first_(examples::first_seed(seed)) {
  plan(base(), first_, sizes_.baseline);
  for (std::size_t i = 0; i < matrix_.cells.size(); ++i) {
    if (matrix_.refused[i].empty()) plan(matrix_.cells[i], first_, sizes_.seeds);
  }
  for (const auto& [family, variants] : factors) {
    for (const std::string& variant : variants) plan(changed(family, variant), first_, sizes_.pairs);
  }
  plan(base(), first_ + kTrials, static_cast<int64_t>(matrix_.live()));
  for (const double rate : rates()) {
    for (const TrainOptions& cell : {base(), changed("placement", "post"), changed("placement", "deepnorm")})
      plan(with_rate(cell, rate), first_, 3);
  }
}

void Study::plan(const TrainOptions& cell, std::uint64_t first, int64_t count) {
  for (const TrainOptions& run : with_seeds(cell, first, count)) {
    if (keys_.insert(key_of(run, runs_.corpus(run))).second) planned_.push_back(run);
  }
}

std::vector<double> Study::means(int64_t seeds) const {
  std::vector<double> means;
  for (std::size_t i = 0; i < matrix_.cells.size(); ++i) {
    means.push_back(matrix_.refused[i].empty() ? mean_of(losses(matrix_.cells[i], seeds)) : std::numeric_limits<double>::quiet_NaN());
  }
  return means;
}

std::vector<std::vector<double>> Study::live_losses() const {
  std::vector<std::vector<double>> all;
  for (std::size_t i = 1; i < matrix_.cells.size(); ++i) {
    if (matrix_.refused[i].empty()) all.push_back(losses(matrix_.cells[i], sizes_.seeds));
  }
  return all;
}

std::vector<double> Study::null_losses() const {
  const std::vector<double> runs = runs_.losses(with_seeds(base(), first_ + kTrials, static_cast<int64_t>(matrix_.live())));
  std::vector<double> losses;
  std::size_t next = 0;
  for (const std::string& why : matrix_.refused) {
    losses.push_back(why.empty() ? runs[next++] : std::numeric_limits<double>::quiet_NaN());
  }
  return losses;
}

TrainOptions Study::changed(const std::string& family, const std::string& variant) const {
  TrainOptions cell = base();
  vary(cell, family, variant);
  return cell;
}

Paired Study::against_baseline(const std::string& family, const std::string& variant) const {
  return paired(losses(changed(family, variant), sizes_.pairs), losses(base(), sizes_.pairs));
}

std::size_t Study::changes() const {
  std::size_t count = 0;
  for (const Factor& factor : matrix_.factors) count += factor.levels.size() - 1;
  return count;
}

std::vector<double> Study::rates() const {
  const double rate = base().schedule.max_lr;
  return {rate / 2, rate, rate * 2};
}

}  // namespace gradus::examples
