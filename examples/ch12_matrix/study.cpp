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

std::string draw_matrix(const Matrix& matrix, const std::vector<double>& in_spreads, const std::string& alt) {
  HeatMap map{.rows = matrix.rows(in_spreads),
              .scale = HeatMap::Scale::sign,
              .limit = 20,
              .quiet = 2,
              .cell = 46,
              .decimals = 1,
              .alt = alt,
              .row_names = matrix.names(0, 1, " "),
              .column_names = matrix.names(3, 3, ""),
              .column_groups = matrix.names(2, 2, "")};
  const auto groups = static_cast<int>(map.column_groups.size());
  const std::vector<std::string> names = map.column_names;
  for (int i = 1; i < groups; ++i) map.column_names.insert(map.column_names.end(), names.begin(), names.end());
  const std::vector<std::vector<double>> rows = map.rows;
  const auto width = rows[0].size();
  map.hidden = [&](int i, int j) { return !matrix.refused[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)].empty(); };
  const std::string wide = draw(map);
  map.cell = 24;
  return "<div class=\"wide\">" + wide + "</div><div class=\"narrow\">" + draw(map) + "</div>" +
         key_of(map, "difference in σ, grey within ±2");
}

}  // namespace gradus::examples
