// Threads: kernels use so many threads for as long as the object lives.
#pragma once

#include "core/tensor/threads.h"

namespace gradus::test {

struct Threads {
  explicit Threads(int count) { set_num_threads(count); }
  ~Threads() { set_num_threads(before); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  int before = num_threads();
};

}  // namespace gradus::test
