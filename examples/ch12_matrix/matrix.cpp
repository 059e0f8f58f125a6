#include "examples/ch12_matrix/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "examples/shared/training/progress.h"

namespace gradus::examples {

void Runs::plan(TrainOptions cell, std::uint64_t first, int64_t count) {
  if (!why_not(cell).empty()) return;
  for (int64_t i = 0; i < count; ++i) {
    cell.seed = first + static_cast<std::uint64_t>(i);
    planned_.emplace(key_of(cell, corpus_), cell);
  }
}

std::size_t Runs::train() {
  std::vector<std::string> keys;
  std::vector<TrainOptions> cells;
  for (const auto& [key, cell] : planned_) {
    if (journal_->knows(key)) continue;
    keys.push_back(key);
    cells.push_back(cell);
  }
  Progress progress(0, static_cast<int64_t>(cells.size()), false);
  measure_missing(
      *journal_, keys, [&](std::size_t i) { return as_kept(train_cell(cells[i], corpus_)); },
      [&](std::size_t i) { progress.advance(fmt::format("loss {:.2f}", number_of(journal_->at(keys[i])))); });
  progress.finish();
  return cells.size();
}

std::vector<double> Runs::losses(TrainOptions cell, std::uint64_t first, int64_t count) const {
  std::vector<double> losses;
  for (int64_t i = 0; i < count; ++i) {
    cell.seed = first + static_cast<std::uint64_t>(i);
    const std::string key = key_of(cell, corpus_);
    check<ValueError>(journal_->knows(key), "the run of seed {} was not trained", cell.seed);
    losses.push_back(number_of(journal_->at(key)));
  }
  return losses;
}

Matrix::Matrix(const TrainOptions& base, std::vector<Factor> chosen) : factors(std::move(chosen)), cells(cross(base, factors)) {
  for (const TrainOptions& cell : cells) refused.push_back(why_not(cell));
}

std::size_t Matrix::live() const { return static_cast<std::size_t>(std::count(refused.begin(), refused.end(), "")); }

std::vector<std::vector<double>> Matrix::rows(const std::vector<double>& values) const {
  const auto width = static_cast<std::ptrdiff_t>((factors.end() - 2)->variants.size() * factors.back().variants.size());
  std::vector<std::vector<double>> rows;
  for (auto from = values.begin(); from != values.end(); from += width) rows.emplace_back(from, from + width);
  return rows;
}

std::vector<std::string> Matrix::names(std::size_t first, std::size_t last, const std::string& between) const {
  std::vector<std::string> names{""};
  for (std::size_t f = first; f <= last; ++f) {
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (const std::string& variant : factors[f].variants) longer.push_back(name + (f > first ? between : "") + variant);
    }
    names = std::move(longer);
  }
  return names;
}

std::vector<Effect> effects_of(const Matrix& matrix, const std::vector<double>& losses) {
  std::vector<Effect> effects;
  std::size_t stride = matrix.cells.size();  // between cells that differ in this factor alone
  for (const auto& [family, variants] : matrix.factors) {
    stride /= variants.size();
    for (std::size_t v = 1; v < variants.size(); ++v) {
      Effect& effect = effects.emplace_back(Effect{family, variants[v], {}});
      for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
        const std::size_t other = i + v * stride;
        if (i / stride % variants.size() != 0 || !matrix.refused[i].empty() || !matrix.refused[other].empty()) continue;
        effect.differences.push_back(losses[other] - losses[i]);
      }
    }
  }
  return effects;
}

}  // namespace gradus::examples
