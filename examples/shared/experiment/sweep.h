// Sweep: the learning rate at which each variant is best, so that none is judged at another's rate.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

constexpr std::int64_t kFirstRates = 3;  // of a sweep: the given one and its neighbours

struct SweepOptions {
  std::uint64_t first_seed = 0;  // with `seeds` - 1 more; none that the variants are compared with
  std::int64_t seeds = 1;
  int farthest = 4;  // from the given rate, in powers of 2; at least 1
};

struct Tuned {
  TrainOptions cell;                             // at the best of the rates tried
  std::vector<std::pair<double, double>> tried;  // rate and mean loss, rates ascending; NaN where a run diverged
  bool at_edge = false;                          // the best is the outermost still, and no farther ones were allowed
};

// The losses of so many runs, in their order; NaN for one that diverged. Each run is asked for once.
using LossesOf = std::function<std::vector<double>(const std::vector<TrainOptions>& runs)>;

// Of each cell: its own rate, half of it and twice, and on by factors of 2 while the outermost is the best. The lowest
// mean loss wins, of equals the lower rate. In each round the runs of all cells are asked for together.
std::vector<Tuned> tune(const std::vector<TrainOptions>& cells, const SweepOptions& options,
                        const LossesOf& losses_of);

// The whole schedule, its lowest rate too, multiplied.
TrainOptions at_rate(TrainOptions cell, double factor);

}  // namespace gradus::examples
