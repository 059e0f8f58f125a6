#include "examples/support/process.h"

#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace gradus::examples {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int signal) {
  stop_requested = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

bool is_switched_on(const char* variable) {
  const char* found = std::getenv(variable);
  const std::string_view value = found != nullptr ? found : "";
  return !value.empty() && value != "0";
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / 1e6;  // bytes there
#else
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
#endif
}

void catch_interrupts() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool interrupted() { return stop_requested != 0; }

}  // namespace gradus::examples
