// A published mistake beside the right recipe.
#pragma once

#include <string>

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// What the wrong line `bug` makes of the schedule or of the walk through the banana; of clipping, the table says it.
void one_wrong_line(Chapter& chapter, const std::string& bug, int steps);

}  // namespace gradus::examples
