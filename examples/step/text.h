// A whole walk as plain text: the tape, each visit, the leaves' gradients.
#pragma once

#include <string>

#include "core/inspect/trace.h"
#include "examples/shared/terminal/styled.h"

namespace gradus::examples {

Lines walk_text(const inspect::Trace& trace, bool ascii);

}  // namespace gradus::examples
