// Two encodings without a formula of the position: a trained row for each, and a recurrent layer.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

void learned(Chapter& chapter);    // which rows get a gradient, and what happens past the last one
void recurrent(Chapter& chapter);  // how far its state moves in a step, on one repeated token

}  // namespace gradus::examples
