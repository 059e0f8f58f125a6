// A training run small enough for a test.
#pragma once

#include <fstream>
#include <string>

#include "examples/shared/training/trainer.h"
#include "tests/core/io/temporary_directory.h"

namespace gradus::test {

inline std::string write_text(const TemporaryDirectory& directory) {
  std::ofstream file(directory.file("text.txt"));
  for (int i = 0; i < 400; ++i) file << "The quick brown fox jumps over the lazy dog " << i << " times.\n";
  return directory.file("text.txt");
}

inline examples::TrainOptions tiny() {
  examples::TrainOptions options;
  options.model = {.context = 16, .d_model = 16, .layers = 2, .heads = 2, .d_ff = 32, .dropout = 0.1};
  options.schedule = {.max_lr = 1e-2, .min_lr = 1e-3, .warmup = 2, .total = 60};
  options.batch = 4;
  return options;
}

inline void steps(examples::Trainer& trainer, int count) {
  for (int i = 0; i < count; ++i) trainer.step();
}

}  // namespace gradus::test
