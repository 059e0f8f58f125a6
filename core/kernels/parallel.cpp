#include "core/kernels/parallel.h"

#include "core/tensor/check.h"

namespace gradus {
namespace {
#ifdef _OPENMP
int threads = omp_get_max_threads();
#else
int threads = 1;
#endif
}  // namespace

int num_threads() { return threads; }

void set_num_threads(int count) {
  check<ValueError>(count > 0, "set_num_threads: needs a positive number, got {}", count);
#ifdef _OPENMP
  threads = count;
  omp_set_num_threads(count);  // for the matrix library, which shares our threads
#endif
}

}  // namespace gradus
