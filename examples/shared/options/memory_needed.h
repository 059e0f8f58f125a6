// How much memory a training run takes, asked before anything of it is built.
#pragma once

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

// The bytes that a run needs at least: the weights, their gradients, what the optimizer remembers of them, and what the backward
// pass of a step reads. The options' other sizes are checked already: none of them is so large that these products overflow a double.
double least_memory(const TrainOptions& options);

// ValueError where that is more than is available, naming the option that matters most.
void check_memory(const TrainOptions& options, double available);

}  // namespace gradus::examples
