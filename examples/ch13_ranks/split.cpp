#include "examples/ch13_ranks/split.h"

#include <algorithm>
#include <mutex>

#include "core/core.h"
#include "nn/nn.h"
#include "optim/distributed/reducer.h"
#include "optim/distributed/sharded_layer.h"
#include "optim/distributed/sharded_optimizer.h"
#include "optim/distributed/threads.h"
#include "optim/optim.h"

namespace gradus::examples {

// #region dist-pipeline
std::string all_forward(int, int, int micro_batches) {
  const auto m = static_cast<std::size_t>(micro_batches);
  return std::string(m, 'F') + std::string(m, 'B');
}

std::string one_by_one(int rank, int ranks, int micro_batches) {
  const int ahead = std::min(ranks - 1 - rank, micro_batches);  // as many F first as ranks lie ahead
  std::string work(static_cast<std::size_t>(ahead), 'F');
  for (int i = ahead; i < micro_batches; ++i) work += "FB";
  return work + std::string(static_cast<std::size_t>(ahead), 'B');
}

std::vector<std::string> diaries(Schedule schedule, int ranks, int micro_batches) {
  const auto p = static_cast<std::size_t>(ranks);
  std::vector<std::string> work, all(p);
  for (int rank = 0; rank < ranks; ++rank) work.push_back(schedule(rank, ranks, micro_batches));
  const auto done = [&](std::size_t rank, char what, std::size_t time) {
    return std::count(all[rank].begin(), all[rank].begin() + static_cast<std::ptrdiff_t>(time), what);
  };
  std::vector<std::size_t> next(p);
  for (std::size_t time = 0; time < 2 * static_cast<std::size_t>(micro_batches + ranks - 1); ++time) {
    for (std::size_t rank = 0; rank < p; ++rank) {
      const char what = next[rank] < work[rank].size() ? work[rank][next[rank]] : '.';
      const std::size_t from = what == 'F' ? rank - 1 : rank + 1;  // the first rank's F, and the last one's B, need nobody
      const bool ready = what != '.' && (from >= p || done(from, what, time) > done(rank, what, time));
      all[rank] += ready ? what : '.';
      next[rank] += ready ? 1 : 0;
    }
  }
  return all;
}
// #endregion dist-pipeline

double waiting(const std::vector<std::string>& diaries) {
  double waits = 0, units = 0;
  for (const std::string& diary : diaries) {
    waits += static_cast<double>(std::count(diary.begin(), diary.end(), '.'));
    units += static_cast<double>(diary.size());
  }
  return waits / units;
}

// --- ZeRO --------------------------------------------------------------------------------------------------------------

namespace {

using namespace distributed;

double bytes_of(const Tensors& tensors) {
  double bytes = 0;
  for (const Tensor& one : tensors) bytes += one.defined() ? static_cast<double>(one.numel()) * 4 : 0;
  return bytes;
}

nn::LayerPtr one_layer() {
  auto layer = std::make_unique<nn::Sequential>();
  layer->add(std::make_unique<nn::Linear>(64, 256));
  layer->add(std::make_unique<nn::Linear>(256, 64));
  return layer;
}

ShardedOptimizer::Make adamw() {
  return [](const optim::ParameterGroups& groups) { return std::make_unique<optim::AdamW>(groups); };
}

Held of_one_rank(Link& link, int stage) {
  nn::Sequential net;
  for (int i = 0; i < 8; ++i) {
    nn::LayerPtr layer = one_layer();
    net.add(stage == 3 ? std::make_unique<ShardedLayer>(link, std::move(layer)) : std::move(layer));
  }
  sum(square(net(ones({1, 64})))).backward();
  Tensors gradients, moments;
  for (const Tensor& one : net.parameters()) gradients.push_back(one.grad());
  Held held{bytes_of(net.parameters()), bytes_of(gradients), 0};
  if (stage == 1) {
    ShardedOptimizer optimizer(link, optim::decay_matrices(net.named_parameters()), adamw());
    optimizer.step(1e-3);
    held.moments = static_cast<double>(optimizer.state_bytes());
  } else {
    const auto optimizer = adamw()(optim::decay_matrices(net.named_parameters()));
    optimizer->step(1e-3);
    for (const NamedTensor& one : optimizer->state()) moments.push_back(one.tensor);
    held.moments = bytes_of(moments);
  }
  return held;
}

}  // namespace

Held held_by_one_rank(int stage, int ranks) {
  Held most{};
  std::mutex mutex;
  run_threads(ranks, [&](Link& link) {
    const auto [parameters, gradients, moments] = of_one_rank(link, stage);
    const std::lock_guard lock(mutex);
    most = {std::max(most.parameters, parameters), std::max(most.gradients, gradients), std::max(most.moments, moments)};
  });
  return most;
}

}  // namespace gradus::examples
