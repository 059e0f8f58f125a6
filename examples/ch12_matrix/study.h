// What chapter 12 trains, and asks of it: a matrix of variants, the baseline with many seeds, and the baseline in place of
// every cell.
#pragma once

#include "examples/ch12_matrix/matrix.h"
#include "examples/shared/experiment/runs.h"
#include "examples/shared/experiment/statistics.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

struct Sizes {
  int64_t steps = 200;    // of each run
  int64_t seeds = 3;      // of each cell
  int64_t pairs = 8;      // of the cells that differ from the baseline in one variant
  int64_t baseline = 16;  // seeds of the baseline
};

class Study {
 public:
  Study(Runs& runs, const std::vector<Factor>& factors, const Sizes& sizes, std::uint64_t seed);

  const Matrix& matrix() const { return matrix_; }
  const Sizes& sizes() const { return sizes_; }
  const TrainOptions& base() const { return matrix_.cells[0]; }
  std::uint64_t first_seed() const { return first_; }
  std::size_t runs() const { return planned_.size(); }
  void train() { runs_.losses(planned_); }

  std::vector<double> baseline_losses() const { return losses(base(), sizes_.baseline); }
  std::vector<double> losses(const TrainOptions& cell, int64_t seeds) const { return runs_.losses(with_seeds(cell, first_, seeds)); }
  // The mean of each cell over its first `seeds` seeds; NaN for one that is refused.
  std::vector<double> means(int64_t seeds) const;
  // The losses of each trained cell but the baseline, seed by seed.
  std::vector<std::vector<double>> live_losses() const;
  // The baseline in place of every cell, each with a seed that no other run has.
  std::vector<double> null_losses() const;

  TrainOptions changed(const std::string& family, const std::string& variant) const;
  Paired against_baseline(const std::string& family, const std::string& variant) const;  // its loss - the baseline's
  std::size_t changes() const;  // how many variants there are besides the baseline's: comparisons that are made together

  std::vector<double> losses_at(const TrainOptions& cell, double rate) const { return losses(with_rate(cell, rate), 3); }
  std::vector<double> rates() const;

 private:
  void plan(const TrainOptions& cell, std::uint64_t first, int64_t count);

  Runs& runs_;
  Matrix matrix_;
  Sizes sizes_;
  std::uint64_t first_;
  Cells planned_;
  std::set<std::string> keys_;  // of those that are planned
};

}  // namespace gradus::examples
