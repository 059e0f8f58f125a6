// Runs: training runs of language models, each made once, several at a time, and kept in a journal.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/experiment/sweep.h"

namespace gradus::examples {

using Cells = std::vector<TrainOptions>;

class Runs {
 public:
  using Train = std::function<double(const TrainOptions& cell, const Corpus& corpus)>;
  using Heard = std::function<void(const nlohmann::json& value)>;
  // Calls `heard` after each run. `train` gives a cell's loss, NaN if it diverged; such a one counts as `diverged`.
  explicit Runs(Journal& journal, Heard heard = {}, Train train = train_cell, double diverged = NAN);
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  std::vector<double> losses(const Cells& cells);                    // in their order
  std::set<std::string> commits(const Cells& cells);                 // at which they were trained
  std::vector<Tuned> tuned(const Cells& cells, SweepOptions sweep);  // tune(), to the line of counting bytes

  // The same of anything else that is kept of a run, by a name of its own: "outcome".
  using Measure = std::function<nlohmann::json(const TrainOptions& cell, const Corpus& corpus)>;
  std::vector<nlohmann::json> measured(const std::string& what, const Cells& cells, const Measure& measure);
  std::size_t known(const std::string& what, const Cells& cells);  // how many of them the journal has; losses are called ""

  const Corpus& corpus(const TrainOptions& cell);         // windows as long as the cell's; all cells have one text
  double counting_loss(const TrainOptions& cell, int n);  // the function's, kept

 private:
  std::vector<std::string> keys(const std::string& what, const Cells& cells);

  Journal& journal_;
  Heard heard_;
  Train train_;
  double diverged_;
  std::map<int64_t, Corpus> corpora_;                                    // by context
  std::map<std::tuple<int64_t, int64_t, int>, double> counting_losses_;  // by context, batch and n
  std::mutex mutex_;
};

}  // namespace gradus::examples
