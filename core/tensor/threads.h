// parallel_for: the one place where loops are shared among threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace gradus {

// The number of threads kernels use; all cores at first. ValueError unless positive.
int num_threads();
void set_num_threads(int count);

namespace kernels {

using std::int64_t;

// Calls run(0) … run(parts - 1) on the team of threads, and throws again what one of them throws. The team is always the
// same, with or without work for all: one of another size would end threads and start others.
void run_on_team(int64_t parts, const std::function<void(int64_t part)>& run);
bool inside_team();

// Calls body(begin, end) over parts of [0, n), in parallel when there are at least two grains of work.
// It branches around the OpenMP region: entering one with a false `if` costs 300 ns, and a matrix product
// inside an inactive region would start a team of its own on every call.
template <typename Body> void parallel_for(int64_t n, int64_t grain, const Body& body) {
  const int64_t parts = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
  if (parts > 1 && !inside_team()) {
    const auto run = [&](int64_t part) { body(n * part / parts, n * (part + 1) / parts); };
    run_on_team(parts, std::ref(run));  // a reference: no memory is asked for
  } else if (n > 0) {
    body(int64_t{0}, n);
  }
}

// While it lives, and if wanted, a library that shares our threads uses one: to share a small product takes longer than
// to compute it, and much longer where another program is busy.
class OneThread {
 public:
  explicit OneThread(bool wanted);
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  bool wanted_;
};

}  // namespace kernels
}  // namespace gradus
