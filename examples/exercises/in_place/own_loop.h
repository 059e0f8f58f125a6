// A student's training loop around the language model.
#pragma once

#include "examples/exercises/in_place/training.h"
#include "examples/exercises/set/training_loop.h"

namespace gradus::exercises {

Training train_by(set::Train* loop, int steps);
// As the exercise says it, with the library's optimizer, and the whole batch at once.
Training train_by_library(int steps);

}  // namespace gradus::exercises
