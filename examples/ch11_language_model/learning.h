// A model that learns the text while one watches when it passes what counting reaches.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/data/ngrams.h"
#include "examples/shared/training/loss_curve.h"
#include "examples/shared/training/trainer.h"

namespace gradus::examples {

// The small model of the chapter: d = 64, 2 blocks, 4 heads, context 64, an untied head; `steps` steps of AdamW.
TrainOptions small_run(int64_t steps, std::uint64_t seed);

struct Passed {
  std::string line;  // "guess", "unigram" …
  double height = 0;
  int64_t step = 0;  // after which the loss was first seen below it
  double loss = 0;
  std::string sample;
};

struct Learned {
  LossCurve validation;  // over the whole validation text, before the first step and after the last too
  std::vector<Passed> passed;
};
Learned learn(Trainer& trainer, int64_t steps, const NgramLines& lines);

}  // namespace gradus::examples
