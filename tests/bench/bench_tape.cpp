// The tape: what a node costs when the tensor is a scalar, so that there is nothing but bookkeeping.
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

// y = x ⊙ a ⊙ a … : `nodes` ops, each the input of the next.
Tensor chain(const Tensor& x, int64_t nodes) {
  const Tensor a = tensor(0.999);
  Tensor y = x;
  for (int64_t i = 0; i < nodes; ++i) y = y * a;
  return y;
}

// Each level splits and meets again: y ← y ⊙ a + y. Two nodes a level, and two gradients for every y.
Tensor diamonds(const Tensor& x, int64_t levels) {
  const Tensor a = tensor(-0.001);
  Tensor y = x;
  for (int64_t i = 0; i < levels; ++i) y = y * a + y;
  return y;
}

void forward(benchmark::State& state, int64_t nodes) {
  const Tensor x = leaf({});
  for (auto _ : state) {
    const std::size_t before = pool::live_bytes();
    Tensor y = chain(x, nodes);
    const auto bytes = static_cast<double>(pool::live_bytes() - before);
    state.PauseTiming();  // for the destruction
    y = Tensor();
    state.counters["bytes_a_node"] = bytes / static_cast<double>(nodes);
    state.ResumeTiming();
  }
  time_for_each(state, "node", nodes);
}

void forward_backward(benchmark::State& state, Tensor (*build)(const Tensor&, int64_t), int64_t count, int64_t nodes) {
  const Tensor x = leaf({});
  for (auto _ : state) benchmark::DoNotOptimize(grad({build(x, count)}, {x}));
  time_for_each(state, "node", nodes);
}

const bool added[] = {
    add_benchmark("tape/chain_forward", [](auto& state) { forward(state, 10'000); }),
    add_benchmark("tape/chain_thousand", [](auto& state) { forward_backward(state, chain, 1'000, 1'000); }),
    add_benchmark("tape/chain", [](auto& state) { forward_backward(state, chain, 10'000, 10'000); }),
    add_benchmark("tape/chain_hundred_thousand", [](auto& state) { forward_backward(state, chain, 100'000, 100'000); }),
    add_benchmark("tape/chain_million", [](auto& state) { forward_backward(state, chain, 1'000'000, 1'000'000); }),
    add_benchmark("tape/diamonds", [](auto& state) { forward_backward(state, diamonds, 5'000, 10'000); }),
};

}  // namespace
}  // namespace gradus::bench
