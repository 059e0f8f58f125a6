// The tape of a chapter's numbers by hand.
#pragma once

#include <string>

#include "core/inspect/trace.h"

namespace gradus::examples {

// Asks the chapter's program for it, "ch04", through ./examples/run, which builds it where it must. Error if there is no such
// chapter, or none with a tape.
inspect::Trace trace_of_chapter(const std::string& chapter);

}  // namespace gradus::examples
