#include "examples/train/process.h"

#include <sys/resource.h>

namespace gradus::examples {

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / 1e6;  // bytes there
#else
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
#endif
}

}  // namespace gradus::examples
