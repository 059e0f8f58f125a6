#include "examples/shared/data/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace gradus::examples {

double memory_bytes() {
  double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  double of_container = 0;  // the file holds a number or "max"
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) bytes = std::min(bytes, of_container);
  return bytes;
}

}  // namespace gradus::examples
