// The milestone of chapter 02: XOR, which no straight line divides.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Trains a small net with tanh and one without a bend: what each loses, and how many of the four answers are right.
void xor_problem(Chapter& chapter);

}  // namespace gradus::examples
