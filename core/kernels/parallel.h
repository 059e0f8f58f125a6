// parallel_for: how a kernel shares its loop among threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/tensor/threads.h"

namespace gradus::kernels {

using std::int64_t;

// Out of line, so that a loop is compiled once: two copies may round differently, and then the bits of a result would
// depend on the number of threads.
template <typename Body> [[gnu::noinline]] void run_part(const Body& body, int64_t begin, int64_t end) { body(begin, end); }

// Calls body(begin, end) over parts of [0, n), in parallel when there are at least two grains of work.
// It branches around the OpenMP region: entering one with a false `if` costs 300 ns, and a matrix product
// inside an inactive region would start a team of its own on every call.
template <typename Body> void parallel_for(int64_t n, int64_t grain, const Body& body) {
  const int64_t parts = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
  if (parts > 1 && !inside_team()) {
    const auto run = [&](int64_t part) { run_part(body, n * part / parts, n * (part + 1) / parts); };
    run_on_team(parts, std::ref(run));  // a reference: no memory is asked for
  } else if (n > 0) {
    run_part(body, 0, n);
  }
}

}  // namespace gradus::kernels
