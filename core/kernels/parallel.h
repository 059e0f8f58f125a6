// parallel_for: the one place where loops are shared among threads.
#pragma once

#include <algorithm>
#include <cstdint>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gradus {

// The number of threads kernels use; all cores at first. ValueError unless positive.
int num_threads();
void set_num_threads(int count);

namespace kernels {

using std::int64_t;

// Calls body(begin, end) over parts of [0, n), in parallel when there are at least two grains of work.
// It branches around the OpenMP region: entering one with a false `if` costs 300 ns, and a matrix product
// inside an inactive region would start a team of its own on every call.
template <typename Body> void parallel_for(int64_t n, int64_t grain, const Body& body) {
  [[maybe_unused]] const int64_t parts = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
#ifdef _OPENMP
  if (parts > 1 && !omp_in_parallel()) {
#pragma omp parallel num_threads(static_cast<int>(parts))
    {
      const int64_t part = omp_get_thread_num(), team = omp_get_num_threads();
      body(n * part / team, n * (part + 1) / team);
    }
    return;
  }
#endif
  if (n > 0) body(int64_t{0}, n);
}

// While it lives, and if wanted, a library that shares our threads uses one: to share a small product takes longer than
// to compute it, and much longer where another program is busy.
class OneThread {
 public:
  explicit OneThread(bool wanted) : wanted_(wanted) {
    if (wanted_) use(1);
  }
  ~OneThread() {
    if (wanted_) use(num_threads());
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static void use([[maybe_unused]] int count) {
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
  }
  bool wanted_;
};

}  // namespace kernels
}  // namespace gradus
