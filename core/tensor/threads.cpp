#include "core/tensor/threads.h"

#include <exception>

#include "core/tensor/check.h"

#ifdef _OPENMP
#include <omp.h>
#endif

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
  threads = count;
  set_library_threads(count);
}

#ifdef _OPENMP
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
#else
void set_library_threads(int) {}
bool inside_team() { return false; }

void run_on_team(std::int64_t parts, const std::function<void(std::int64_t)>& run) {
  for (std::int64_t part = 0; part < parts; ++part) run(part);
}
#endif

}  // namespace gradus
