// A training step of a small language model on several ranks, in seconds.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "optim/distributed/collectives.h"
#include "optim/distributed/timeline.h"

namespace gradus::examples {

constexpr int kMicroBatches = 4, kWindows = 2, kContext = 64;  // of a step; of a micro-batch
constexpr int kTokens = kMicroBatches * kWindows * kContext;   // of a step

struct StepOptions {
  int ranks = 1;
  std::int64_t width = 64, layers = 2;
  std::size_t bucket_bytes = 1 << 20;
  const distributed::LinkCost* slow = nullptr;  // the threads' own link if there is none
};

struct MeasuredStep {
  double seconds = std::numeric_limits<double>::infinity();    // the least of several
  double parameters = 0;                                       // how many the model has
  std::vector<std::vector<distributed::Event>> timeline = {};  // of each rank, in the last step
};
// One after the other, and again: what else the machine does, it does to all of them. The ranks are threads.
std::vector<MeasuredStep> measure_in_turn(const std::vector<StepOptions>& all, int rounds = 4);

// A step of the first options on ranks that are processes. NaN where there is no MPI.
double seconds_by_mpi(int ranks);
inline constexpr const char* kMpiStep = "--mpi-step";  // `ch13_ranks --mpi-step RANKS` prints it
int print_mpi_step(char** arguments);

}  // namespace gradus::examples
