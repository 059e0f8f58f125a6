// A training step of a small language model on several ranks, in seconds.
#pragma once

#include <cstddef>
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
  double seconds = 0;                                     // the least of several
  double parameters = 0;                                  // how many the model has
  std::vector<std::vector<distributed::Event>> timeline;  // of each rank, in the last step
};
MeasuredStep measure_step(const StepOptions& options);

}  // namespace gradus::examples
