// Experts while they learn: which byte goes to which of them, and how full the fullest is.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Trains one small model for each way to balance the load: by nothing, by a loss, by biases.
void experts_at_work(Chapter& chapter, int64_t steps);

}  // namespace gradus::examples
