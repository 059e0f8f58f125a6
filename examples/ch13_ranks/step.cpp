#include "examples/ch13_ranks/step.h"

#include <algorithm>
#include <limits>

#include "nn/nn.h"
#include "optim/distributed/reducer.h"
#include "optim/distributed/slow_link.h"
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

}  // namespace

MeasuredStep measure_step(const StepOptions& options) {
  MeasuredStep measured;
  measured.seconds = std::numeric_limits<double>::infinity();
  measured.timeline.resize(static_cast<std::size_t>(options.ranks));
  run_threads(options.ranks, [&](Link& fast) {
    SlowLink slowed(fast, options.slow != nullptr ? *options.slow : LinkCost{});
    Link& link = options.slow != nullptr ? static_cast<Link&>(slowed) : fast;
    manual_seed(1);
    nn::LanguageModel model(shape_of(options));
    optim::AdamW optimizer(optim::decay_matrices(model.named_parameters()), {.lr = 1e-3});
    Timeline timeline;
    Reducer reducer(link, model.named_parameters(),
                    {.micro_batches = kMicroBatches, .bucket_bytes = options.bucket_bytes, .timeline = &timeline});
    for (int repeat = 0; repeat < 8; ++repeat) {
      fast.barrier();
      timeline.begin();
      for (std::int64_t i = reducer.begin(); i < reducer.end(); ++i) {
        const Observing micro_batch = reducer.micro_batch();
        loss_of(model, i).backward();
      }
      reducer.wait();
      optimizer.step();
      fast.barrier();
      if (link.rank() == 0) measured.seconds = std::min(measured.seconds, timeline.now());
    }
    if (link.rank() == 0) measured.parameters = static_cast<double>(model.parameter_count());
    measured.timeline[static_cast<std::size_t>(link.rank())] = timeline.events();
  });
  return measured;
}

}  // namespace gradus::examples
