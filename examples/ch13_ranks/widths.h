// From which width on a step is mostly computing.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// The numbers width.*, measured and fitted on this machine, and cluster.*, of a thousand machines whose speed is declared.
void widths(Chapter& chapter);

}  // namespace gradus::examples
