// It learns to copy: what attention is good for, seen by cutting it.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Trains the copy task with attention and with a window of one key, and keeps the accuracies and the weights of every head.
void copying(Chapter& chapter);

}  // namespace gradus::examples
