// Deep stacks while they train: signals at a few steps, loss with and without warm-up.
#pragma once

#include "examples/shared/report/chapter.h"
#include "examples/shared/study/deep_stack.h"

namespace gradus::examples {

// The losses of `steps` steps on one random batch, and after them.
std::vector<double> overfit(const StackChoice& choice, std::uint64_t seed, int64_t steps);

// Trains stacks of this depth on bytes, and adds what was seen to the report.
void in_training(Chapter& chapter, int64_t depth);

}  // namespace gradus::examples
