#include "core/tensor/threads.h"

#include <exception>

#include "core/tensor/check.h"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads() { return 1; }
static void omp_set_num_threads(int) {}
static int omp_get_num_threads() { return 1; }
static int omp_get_thread_num() { return 0; }
static int omp_in_parallel() { return 0; }
#endif

namespace gradus {
namespace {
int threads = omp_get_max_threads();
}

int num_threads() { return threads; }

void set_num_threads(int count) {
  check<ValueError>(count > 0 && count <= 1000, "set_num_threads: needs from 1 to 1000 threads, got {}", count);
  threads = count;
  set_library_threads(count);
}

void set_library_threads(int count) { omp_set_num_threads(count); }
bool inside_team() { return omp_in_parallel() != 0; }

void run_on_team(std::int64_t parts, const std::function<void(std::int64_t)>& run) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
  {
    try {
      for (std::int64_t part = omp_get_thread_num(); part < parts; part += omp_get_num_threads()) run(part);
    } catch (...) {  // must not leave the region
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gradus
