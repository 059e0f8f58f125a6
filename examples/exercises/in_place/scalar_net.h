// A net of single numbers on a tape, as in Karpathy's micrograd: a student's walk goes back over it.
#pragma once

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

// Learns which points of a grid lie within a circle. `walk` is the function of the exercise the-walk.
Training train_scalar_net(const Function& walk, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
