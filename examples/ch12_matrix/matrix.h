// Matrix: every combination of some variants, trained with some seeds; and what it says of each factor.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/journal.h"

namespace gradus::examples {

// Runs that are planned, trained together, and asked for afterwards: each once, however often it is planned.
class Runs {
 public:
  explicit Runs(const Corpus& corpus) : corpus_(corpus), journal_(&own_) {}
  Runs(const Corpus& corpus, Journal& journal) : corpus_(corpus), journal_(&journal) {}
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // With the seeds first, first + 1, … A cell that the library refuses is not planned.
  void plan(TrainOptions cell, std::uint64_t first, int64_t count);
  std::size_t planned() const { return planned_.size(); }
  // Trains what is planned and not there yet, and tells how many that were. On a terminal a bar tells how far it is and how
  // long it will take.
  std::size_t train();
  // In the order of the seeds. ValueError for one that was not trained.
  std::vector<double> losses(TrainOptions cell, std::uint64_t first, int64_t count) const;

 private:
  const Corpus& corpus_;
  std::map<std::string, TrainOptions> planned_;  // by key_of
  Journal own_;
  Journal* journal_;
};

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
