// core/machine/threads.h where there is one thread: the page.
#include "core/machine/threads.h"

#include <sys/types.h>

#include <cerrno>
#include <utility>

#include "core/check.h"

namespace gradus {
namespace {

bool inside = false;

}  // namespace

int num_threads() { return 1; }
int most_threads() { return 1; }
void set_num_threads(int count) { check<ValueError>(count == 1, "set_num_threads: a page has one thread, got {}", count); }
LibraryAlone::LibraryAlone() : before_(1) {}
LibraryAlone::~LibraryAlone() = default;
bool inside_team() { return inside; }

void run_on_team(std::int64_t parts, const std::function<void(std::int64_t)>& run) {
  check<ValueError>(static_cast<bool>(run), "run_on_team: the function is empty");
  check<ValueError>(parts >> 32 == 0, "run_on_team: the number of parts must be in [0, 2³²), got {}", parts);
  struct Inside {
    const bool before = std::exchange(inside, true);
    ~Inside() { inside = before; }
  };
  const Inside here;
  for (std::int64_t part = 0; part < parts; ++part) run(part);
}

}  // namespace gradus

extern "C" {

// No other process, either.
int kill(pid_t, int) {
  errno = ESRCH;
  return -1;
}

// The thread ends with the program.
int __cxa_atexit(void (*destroy)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) { return __cxa_atexit(destroy, object, library); }

}  // extern "C"
