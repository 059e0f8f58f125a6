// parallel_for and for_each where there is one thread: this stands before core/machine/parallel.h, and makes the module a fifth smaller.
#pragma once

#include <cstdint>

#include "core/machine/threads.h"

namespace gradus::kernels {

using std::int64_t;

inline constexpr int64_t kGrain = 1;  // of any size: nothing is shared

template <typename Body> void run_part(const Body& body, int64_t begin, int64_t end) { body(begin, end); }

template <typename Body> void parallel_for(int64_t n, int64_t, const Body& body) {
  if (n > 0) body(int64_t{0}, n);
}

template <typename Body> void for_each(int64_t n, int64_t, const Body& body) {
  for (int64_t i = 0; i < n; ++i) body(i);
}

}  // namespace gradus::kernels
