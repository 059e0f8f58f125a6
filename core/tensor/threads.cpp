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
void set_library_threads(int count) { omp_set_num_threads(count); }  // of the matrix library, which shares ours
#else
int threads = 1;
void set_library_threads(int) {}
#endif
}  // namespace

int num_threads() { return threads; }

void set_num_threads(int count) {
  check<ValueError>(count > 0, "set_num_threads: needs a positive number, got {}", count);
  threads = count;
  set_library_threads(count);
}

namespace kernels {

#ifdef _OPENMP
bool inside_team() { return omp_in_parallel() != 0; }

void run_on_team(int64_t parts, const std::function<void(int64_t)>& run) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
  {
    try {
      for (int64_t part = omp_get_thread_num(); part < parts; part += omp_get_num_threads()) run(part);
    } catch (...) {  // must not leave the region
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}
#else
bool inside_team() { return false; }

void run_on_team(int64_t parts, const std::function<void(int64_t)>& run) {
  for (int64_t part = 0; part < parts; ++part) run(part);
}
#endif

OneThread::OneThread(bool wanted) : wanted_(wanted) {
  if (wanted_) set_library_threads(1);
}

OneThread::~OneThread() {
  if (wanted_) set_library_threads(threads);
}

}  // namespace kernels
}  // namespace gradus
