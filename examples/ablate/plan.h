// Plan: which cells an ablation has, how they are made comparable, and what is fixed before the first of them is trained.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/sweep.h"

namespace gradus::examples {

enum class Equal { parameters, time, nothing };

// An option of train by its name ("d_model") and its values as text; with more than one it is a factor.
struct Given {
  std::string option;
  std::vector<std::string> values;  // the baseline's first
};

struct Plan {
  std::string preset;        // "": none
  std::vector<Given> given;  // in the order of --help
  Equal equal = Equal::parameters;
  std::int64_t seeds = 8, sweep_seeds = 3;
  int farthest = 3;  // of the sweep; 0: no sweep, all at the rate that is given
  std::uint64_t seed = 0;
  bool full = false, keep = false;
  std::vector<std::string> show;  // pictures of the page: curves, lengths, gradients
  int threads = 0;                // 0: all cores
  std::string out;

  std::vector<Given> factors() const;
  std::uint64_t first_seed() const { return examples::first_seed(seed); }  // of the comparison
  SweepOptions sweep() const { return {.first_seed = first_seed() + kTrials, .seeds = sweep_seeds, .farthest = farthest}; }
};

// One cell of the plan, whatever its seed.
struct Variation {
  std::vector<std::string> values;  // of each factor
  std::string name;                 // "post"; "layer, 4 layers"
  TrainOptions cell;
  std::int64_t parameters = 0;
  std::string refused = {};  // why it is not trained
};

// All combinations, the last factor fastest, the baseline first; with equal parameters each with a feed-forward layer as
// wide as that needs. ValueError for a plan that compares nothing, or not what it says: no list, a value twice, a factor
// that is what is made equal, a baseline that is refused.
std::vector<Variation> variations_of(const Plan& plan);

// As many steps as take the time of the baseline's, if one takes `ratio` times as long; the warm-up in proportion.
TrainOptions at_equal_time(TrainOptions cell, double ratio);

// How much longer a step of this cell takes than one of the baseline, each by one thread: both in turns.
double time_ratio(const TrainOptions& cell, const TrainOptions& baseline, const Corpus& corpus, const Corpus& baseline_corpus);

}  // namespace gradus::examples
