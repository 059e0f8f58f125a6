#include "core/machine/threads.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "core/check.h"
#include "core/machine/team.h"

#ifdef _OPENMP  // for the matrix library's threads; ours start at the same number, and so obey OMP_NUM_THREADS
#include <omp.h>
#else
static int omp_get_max_threads() { return static_cast<int>(std::thread::hardware_concurrency()); }
static void omp_set_num_threads(int) {}
#endif

namespace gradus {
namespace {

int threads = std::clamp(omp_get_max_threads(), 1, most_threads());

std::mutex team_in_use;
Team* team = nullptr;  // made when first used; not deleted at exit, when another thread may still be in a loop

thread_local bool inside = false;

// A forked child has only the thread that called fork(), none of the team: it makes a team of its own.
[[maybe_unused]] const int forgets_team = pthread_atfork(nullptr, nullptr, [] { team = nullptr; });

Team& team_of(std::uint32_t size) {
  if (team == nullptr || team->threads() != size) {
    delete std::exchange(team, nullptr);
    team = new Team(size);
  }
  return *team;
}

// Calls run(part), with inside_team() true meanwhile.
void run_inside(std::int64_t part, const std::function<void(std::int64_t)>& run) {
  struct Inside {
    const bool before = std::exchange(inside, true);
    ~Inside() { inside = before; }
  };
  const Inside here;
  run(part);
}

}  // namespace

int num_threads() { return threads; }
int most_threads() { return 32 * std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void set_num_threads(int count) {
  check<ValueError>(count > 0 && count <= most_threads(), "set_num_threads: needs from 1 to {} threads, 32 for each processor, got {}",
                    most_threads(), count);
  threads = count;
  omp_set_num_threads(count);
}

LibraryAlone::LibraryAlone() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
LibraryAlone::~LibraryAlone() { omp_set_num_threads(before_); }

bool inside_team() { return inside; }

void run_on_team(std::int64_t parts, const std::function<void(std::int64_t)>& run) {
  check<ValueError>(static_cast<bool>(run), "run_on_team: the function is empty");
  check<ValueError>(parts >> 32 == 0, "run_on_team: the number of parts must be in [0, 2³²), got {}", parts);
  std::unique_lock<std::mutex> lock(team_in_use, std::defer_lock);
  if (parts > 1 && threads > 1 && !inside && lock.try_lock()) {
    Team& shared = team_of(static_cast<std::uint32_t>(threads));
    shared.run(static_cast<std::uint32_t>(parts), [&](std::uint32_t part) { run_inside(part, run); });
  } else {
    for (std::int64_t part = 0; part < parts; ++part) run_inside(part, run);
  }
}

}  // namespace gradus
