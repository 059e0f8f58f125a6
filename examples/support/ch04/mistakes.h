// The table of probes, and beside the right norm one that was published with a mistake.
#pragma once

#include "examples/support/report/chapter.h"

namespace gradus::examples {

void mistakes(Chapter& chapter, const std::string& bug);  // an id of wrong_norms(), or none

}  // namespace gradus::examples
