// memory_growth: what a training run holds after a hundredth, a tenth and all of its steps.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "core/machine/pool.h"
#include "core/tape/node.h"
#include "examples/shared/training/trainer.h"
#include "examples/train/process.h"
#include "tests/bench/program.h"

using namespace gradus;
using namespace gradus::bench;

namespace {

// Resident memory; where there is no /proc, the highest it ever was, which shows growth as well.
double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0;  // pages
  if (!(statm >> size >> resident)) return examples::peak_rss_mb();
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / 1e6;
}

void report(int64_t step) {
  fmt::print("result step={} resident_mb={:.3f} live_tensors={} live_nodes={} live_mb={:.3f}\n", step, resident_mb(), live_tensors(),
             live_nodes(), static_cast<double>(pool::live_bytes()) / 1e6);
}

void measure(const examples::TrainOptions& options) {
  const examples::Corpus corpus = examples::load_corpus(options);
  examples::Trainer trainer(options, corpus);
  const int64_t total = options.schedule.total;
  for (int64_t step = 1; step <= total; ++step) {
    trainer.step();
    if (step == total / 100 || step == total / 10 || step == total) report(step);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return with_options(argc, argv, "memory_growth", "What a run holds after a hundredth, a tenth and all of its steps.", measure);
}
