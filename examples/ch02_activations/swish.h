// The knob of chapter 02: β of Swish.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Between x/2 and ReLU: the curves of four β and the reader's own, how near the ends come, and where SiLU is least.
void swish(Chapter& chapter, double beta);

}  // namespace gradus::examples
