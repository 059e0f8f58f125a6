// What the benchmarks share. Times are wall-clock, since the kernels run on several threads.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "core/core.h"

namespace gradus::bench {

// Shows the time for one of the `count` things that an iteration does: element=120ps, node=90ns.
inline void time_for_each(benchmark::State& state, const char* thing, int64_t count) {
  using benchmark::Counter;
  state.counters[thing] = Counter(static_cast<double>(count), Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
}

// Shows how many of something are done in a second: flop=300G/s, bytes=25G/s.
inline void rate_of(benchmark::State& state, const char* thing, double count) {
  state.counters[thing] = benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
}

// Registers body(state) as a benchmark.
template <typename Body> bool add_benchmark(const std::string& name, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), body)->UseRealTime()->Unit(benchmark::kMicrosecond);
  return true;
}

inline Tensor leaf(const Shape& shape) { return randn(shape).set_requires_grad(); }

}  // namespace gradus::bench
