#include "examples/shared/experiment/least_time.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/machine/threads.h"

namespace gradus::examples {

std::vector<double> least_milliseconds(const std::vector<std::function<void()>>& works, int times) {
  const int threads = num_threads();
  set_num_threads(1);
  std::vector<double> least(works.size(), std::numeric_limits<double>::infinity());
  for (int i = 0; i < times; ++i) {
    for (std::size_t k = 0; k < works.size(); ++k) {
      const auto begun = std::chrono::steady_clock::now();
      works[k]();
      least[k] = std::min(least[k], std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
    }
  }
  set_num_threads(threads);
  return least;
}

}  // namespace gradus::examples
