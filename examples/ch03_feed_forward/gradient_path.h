// The claim that a gate keeps a linear path for the gradient (Dauphin et al., 2017): measured.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// A figure of what comes back along the value, and the verdict.
void linear_path(Chapter& chapter);

}  // namespace gradus::examples
