// bench: how long the tape, the kernels and the layers take.
#include <benchmark/benchmark.h>

#include "core/core.h"

int main(int argc, char** argv) {
  gradus::pool::keep_freed_pages();  // as train does
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // Once threads run, the C library's counts and locks turn atomic. Training never knows the time before.
  benchmark::DoNotOptimize(gradus::exp(gradus::zeros({1024, 1024})));
  benchmark::RunSpecifiedBenchmarks();
}
