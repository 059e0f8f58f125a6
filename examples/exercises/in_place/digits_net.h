// A small net of digits with batch norm, which collects in training what it needs afterwards.
#pragma once

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

// `norms` are the functions of the exercise batch-norm-running: in training, and in eval. What has ended are the running values,
// and the scores of digits that were not trained on.
Training train_digits_net(const Functions& norms, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
