// parallel_for: how a kernel shares its loop among threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/machine/threads.h"

namespace gradus::kernels {

using std::int64_t;

inline constexpr int64_t kGrain = 16384;  // how many elements a thread should have for cheap arithmetic

// Out of line, so that a loop is compiled once: two copies may round differently, and then the bits of a result would
// depend on the number of threads.
template <typename Body> [[gnu::noinline]] void run_part(const Body& body, int64_t begin, int64_t end) { body(begin, end); }

// Calls body(begin, end) over parts of [0, n), in parallel when there are at least two grains of work.
// A thread has several parts, so that the others can do some of them while it has no processor. The parts of a long loop begin
// at multiples of 64, so that the number of threads does not decide which elements share a vector: in some functions of
// xsimd, such as log1p, the last bit of one depends on the others.
template <typename Body> void parallel_for(int64_t n, int64_t grain, const Body& body) {
  constexpr int64_t parts_of_a_thread = 4;
  const int64_t threads = num_threads(), grains = threads == 1 ? 1 : n / std::max<int64_t>(grain, 1);
  const int64_t parts = grains < threads ? grains : std::min(parts_of_a_thread, grains / threads) * threads;  // as many for each
  if (parts > 1 && !inside_team()) {
    const int64_t multiple = n / parts >= 1024 ? 64 : 1;
    const auto begin_of = [=](int64_t part) { return part == parts ? n : n * part / parts / multiple * multiple; };
    const auto run = [&](int64_t part) { run_part(body, begin_of(part), begin_of(part + 1)); };
    run_on_team(parts, std::ref(run));  // a reference: no memory is asked for
  } else if (n > 0) {
    run_part(body, 0, n);
  }
}

// Calls body(i) for each i of [0, n), in parallel. One is as much work as cheap arithmetic on `cost` elements.
template <typename Body> void for_each(int64_t n, int64_t cost, const Body& body) {
  parallel_for(n, (kGrain + cost - 1) / std::max<int64_t>(cost, 1), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace gradus::kernels
