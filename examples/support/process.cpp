#include "examples/support/process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>

namespace gradus::examples {
namespace {

volatile sig_atomic_t stop_requested = 0;

void request_stop(int) { stop_requested = 1; }

}  // namespace

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / 1e6;  // bytes there
#else
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
#endif
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string crowded_note(int threads, double cpu, double elapsed) {
  const bool chosen = std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr;
  if (threads == 1 || chosen || cpu >= 0.6 * threads * elapsed) return "";
  return fmt::format("note: the {} threads get the time of {:.1f} processors and wait for each other; on a busy machine "
                     "OMP_WAIT_POLICY=passive, or fewer --threads, can be many times as fast", threads, cpu / elapsed);
}

// The handler runs on a stack of its own. In its matrix products, oneDNN before 3.11.2 uses the stack pointer for data, and
// what a handler pushes there overwrites the heap (oneDNN issue 4845, 2026).
void catch_interrupts() {
  static std::array<char, 1 << 16> stack;
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_ONSTACK | SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stop_requested != 0; }

}  // namespace gradus::examples
