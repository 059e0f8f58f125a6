#include "examples/ch13_ranks/step.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "examples/ch13_ranks/by_mpi.h"
#include "nn/nn.h"
#include "optim/distributed/mpi.h"
#include "optim/distributed/reducer.h"
#include "optim/distributed/slow_link.h"
#include "optim/distributed/start.h"
#include "optim/distributed/threads.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

using namespace distributed;

nn::LanguageModelOptions shape_of(const StepOptions& options) {
  nn::LanguageModelOptions shape;
  shape.vocabulary = 64, shape.context = kContext, shape.d_model = options.width, shape.layers = options.layers, shape.heads = 4;
  return shape;
}

Tensor loss_of(nn::LanguageModel& model, std::int64_t micro_batch) {
  Generator random(static_cast<std::uint64_t>(micro_batch));
  const Tensor ids = randint(0, 64, {kWindows, kContext + 1}, random);
  return nn::cross_entropy(model(slice(ids, 1, 0, kContext)), slice(ids, 1, 1)) / kMicroBatches;
}

// The least seconds of five steps, on rank 0, and what this rank did in the last.
MeasuredStep steps_on(Link& fast, const StepOptions& options) {
  SlowLink slowed(fast, options.slow != nullptr ? *options.slow : LinkCost{});
  Link& link = options.slow != nullptr ? static_cast<Link&>(slowed) : fast;
  manual_seed(1);
  nn::LanguageModel model(shape_of(options));
  optim::AdamW optimizer(optim::decay_matrices(model.named_parameters()), {.lr = 1e-3});
  Timeline timeline;
  Reducer reducer(link, model.named_parameters(),
                  {.micro_batches = kMicroBatches, .bucket_bytes = options.bucket_bytes, .timeline = &timeline});
  MeasuredStep measured{.parameters = static_cast<double>(model.parameter_count())};
  for (int repeat = 0; repeat < 5; ++repeat) {
    fast.barrier();
    timeline.begin();
    for (std::int64_t i = reducer.begin(); i < reducer.end(); ++i) {
      const Observing micro_batch = reducer.micro_batch();
      loss_of(model, i).backward();
    }
    reducer.wait();
    optimizer.step();
    fast.barrier();
    measured.seconds = std::min(measured.seconds, timeline.now());
  }
  measured.timeline = {timeline.events()};
  return measured;
}

MeasuredStep measure_step(const StepOptions& options) {
  std::vector<MeasuredStep> of_ranks(static_cast<std::size_t>(options.ranks));
  run_threads(options.ranks, [&](Link& link) { of_ranks[static_cast<std::size_t>(link.rank())] = steps_on(link, options); });
  MeasuredStep measured = of_ranks[0];
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) measured.timeline.push_back(of_ranks[rank].timeline[0]);
  return measured;
}

}  // namespace

std::vector<MeasuredStep> measure_in_turn(const std::vector<StepOptions>& all, int rounds) {
  std::vector<MeasuredStep> least(all.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      MeasuredStep measured = measure_step(all[i]);
      if (measured.seconds < least[i].seconds) least[i] = std::move(measured);
    }
  }
  return least;
}

int print_mpi_step(char** arguments) {
  start({.ranks = std::atoi(arguments[2])}, arguments, [](Link& link) {
    const MeasuredStep measured = steps_on(link, {});
    if (under_mpi() && link.rank() == 0) fmt::print("{}\n", measured.seconds);
  });
  return 0;
}

double seconds_by_mpi(int ranks) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5; ++round) {
    for (const double seconds : numbers_by_mpi(kMpiStep, ranks)) least = std::min(least, seconds);
  }
  return std::isinf(least) ? std::nan("") : least;
}

}  // namespace gradus::examples
