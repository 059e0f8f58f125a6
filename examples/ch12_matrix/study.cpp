#include "examples/ch12_matrix/study.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace gradus::examples {
namespace {

constexpr std::uint64_t kApart = 1000,
                        kNull = 500;  // seeds: of one --seed and the next, of a cell and the null matrix

double mean_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

}  // namespace

Study::Study(const std::vector<Factor>& factors, const Sizes& sizes, std::uint64_t seed)
    : corpus_(Corpus::shakespeare(small_model(sizes.steps).model.context)),
      matrix_(small_model(sizes.steps), factors),
      sizes_(sizes),
      runs_(corpus_),
      first_(kApart * seed) {
  runs_.plan(base(), first_, sizes_.baseline);
  for (const TrainOptions& cell : matrix_.cells) runs_.plan(cell, first_, sizes_.seeds);
  for (const auto& [family, variants] : factors) {
    for (const std::string& variant : variants) runs_.plan(changed(family, variant), first_, sizes_.pairs);
  }
  runs_.plan(base(), first_ + kNull, static_cast<int64_t>(matrix_.live()));
  for (const double rate : rates()) {
    for (const TrainOptions& cell : {base(), changed("placement", "post"), changed("placement", "deepnorm")})
      runs_.plan(at(cell, rate), first_, 3);
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
  const std::vector<double> runs = runs_.losses(base(), first_ + kNull, static_cast<int64_t>(matrix_.live()));
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
  for (const Factor& factor : matrix_.factors) count += factor.variants.size() - 1;
  return count;
}

std::vector<double> Study::rates() const {
  const double rate = base().schedule.max_lr;
  return {rate / 2, rate, rate * 2};
}

TrainOptions Study::at(TrainOptions cell, double rate) const {
  cell.schedule.max_lr = rate;
  cell.schedule.min_lr = rate / 10;
  return cell;
}

std::vector<double> Study::losses_at(TrainOptions cell, double rate) const { return losses(at(cell, rate), 3); }

}  // namespace gradus::examples
