// Matrix: every combination of some variants; and what their losses say of each factor.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/experiment/cell.h"

namespace gradus::examples {

struct Matrix {
  Matrix(const TrainOptions& base, std::vector<Factor> chosen);

  std::vector<Factor> factors;
  std::vector<TrainOptions> cells;   // cross(): [0] is the baseline
  std::vector<std::string> refused;  // why; empty for a cell that is trained

  std::size_t live() const;  // cells that are trained
  // A number for each cell, the last two factors' variants along the rows.
  std::vector<std::vector<double>> rows(const std::vector<double>& values) const;
  std::vector<std::string> names(std::size_t first, std::size_t last, const std::string& between) const;
};

// What one variant does in place of the baseline's, in each combination of the others in which both are trained.
struct Effect {
  std::string family, variant;
  std::vector<double> differences;
};
std::vector<Effect> effects_of(const Matrix& matrix, const std::vector<double>& losses);

}  // namespace gradus::examples
