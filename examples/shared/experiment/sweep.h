// Sweep: the learning rate at which each variant is best, so that none is judged at another's rate.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

constexpr std::int64_t kFirstRates = 3;  // of a sweep: the given one and its neighbours

// Nats below what knowing only how often each answer comes costs, from which on a run is no chance. That is less than to have
// trained: a rate is chosen among runs that have begun.
constexpr double kBegun = 0.1;

constexpr int kDeepest = 6;  // how far down a sweep goes while nothing learns: to a 64th of the given rate

struct SweepOptions {
  std::uint64_t first_seed = 0;  // with `seeds` - 1 more; none that the variants are compared with
  std::int64_t seeds = 1;
  int farthest = 4;                   // from the given rate, in powers of 2; at least 1
  std::vector<double> untaught = {};  // what knowing only how often each answer comes costs each cell; empty: every run that
                                      // does not diverge has begun
};

struct Tuned {
  TrainOptions cell;                             // at the best of the rates tried
  std::vector<std::pair<double, double>> tried;  // rate and mean loss, rates ascending; NaN where a run diverged
  bool at_edge = false;                          // the best is the outermost still, and no farther ones were allowed
  bool begun = false;                            // at one of the rates at least
};

// The losses of `runs`, in their order; NaN for one that diverged. Each run is asked for once.
using LossesOf = std::function<std::vector<double>(const std::vector<TrainOptions>& runs)>;

// Each cell is tried at its own rate, half of it and twice, and on by factors of 2 while the outermost is the best. While none has
// begun to learn, a best rate among them is chance: the sweep goes on downward, to kDeepest, and then upward. The lowest mean loss
// wins, among the rates at which it has begun to learn if there are any; of two equal ones, the lower rate. In each round the runs
// of all cells are asked for together.
std::vector<Tuned> tune(const std::vector<TrainOptions>& cells, const SweepOptions& options, const LossesOf& losses_of);

// The whole schedule, its lowest rate too, multiplied.
TrainOptions at_rate(TrainOptions cell, double factor);

}  // namespace gradus::examples
