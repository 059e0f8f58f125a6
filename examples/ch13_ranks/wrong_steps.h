// A step on two ranks, as it should be and as it has been published.
#pragma once

#include <span>
#include <vector>

#include "core/core.h"
#include "examples/shared/report/published.h"
#include "optim/distributed/collectives.h"

namespace gradus::examples {

// The pieces of a step in which it goes wrong.
struct RankStep : Published {
  using Link = distributed::Link;
  std::vector<int> (*samples)(int rank, int ranks, int count);                // this rank's of an epoch
  Tensor (*loss)(Link& link, const Tensor& losses, double own);               // what is differentiated: of some of a rank's `own` samples
  void (*reduce)(Link& link, Tensors& gradients);                             // to those of all ranks
  void (*clip)(const Tensors& w, double most);                                // the length of the gradient
  float (*sum)(std::span<const float> of_ranks, std::span<const int> order);  // in which their messages arrived
  bool early = false;                                                         // reduced after the first of two micro-batches, not the last
  int times_tied = 1;                                                         // that the two parts of a tied table's gradient are summed
};

RankStep right_rank_step();
std::vector<RankStep> wrong_rank_steps();

// What a step must do:
//   length      of the gradient, relative to that of one rank: 1
//   unequal     relative distance from the gradient of one rank, where ranks have 6 and 2 samples: 0
//   apart       greatest difference between the gradients of two ranks: 0
//   direction   degrees between the clipped gradient and that of one rank: 0
//   samples     different ones of an epoch of 8: 8
//   repeat      percent of sums that have other bits if messages arrive in another order: 0
//   tied        gradient of a table that two stages use, relative to that of one rank: 1
std::vector<Probe> probes_of(const RankStep& step);

}  // namespace gradus::examples
