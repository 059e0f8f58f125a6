// parallel_for where there is one thread: this stands before core/machine/parallel.h, and makes the module a fifth smaller.
#pragma once

#include <cstdint>

#include "core/machine/threads.h"

namespace gradus::kernels {

using std::int64_t;

template <typename Body> void run_part(const Body& body, int64_t begin, int64_t end) { body(begin, end); }

template <typename Body> void parallel_for(int64_t n, int64_t, const Body& body) {
  if (n > 0) body(int64_t{0}, n);
}

}  // namespace gradus::kernels
