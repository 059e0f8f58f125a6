#include "examples/ch12_matrix/matrix.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace gradus::examples {

Matrix::Matrix(const TrainOptions& base, std::vector<Factor> chosen) : factors(std::move(chosen)), cells(cross(base, factors)) {
  for (const TrainOptions& cell : cells) refused.push_back(why_not(cell));
}

std::size_t Matrix::live() const { return static_cast<std::size_t>(std::count(refused.begin(), refused.end(), "")); }

std::vector<std::vector<double>> Matrix::rows(const std::vector<double>& values) const {
  const auto width = static_cast<std::ptrdiff_t>((factors.end() - 2)->levels.size() * factors.back().levels.size());
  std::vector<std::vector<double>> rows;
  for (auto from = values.begin(); from != values.end(); from += width) rows.emplace_back(from, from + width);
  return rows;
}

std::vector<std::string> Matrix::names(std::size_t first, std::size_t last, const std::string& between) const {
  std::vector<std::string> names;
  for (const Where& where : crossed({factors.begin() + first, factors.begin() + last + 1})) {
    names.push_back(fmt::format("{}", fmt::join(where | std::views::values, between)));
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
