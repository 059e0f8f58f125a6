// Naive recursion beside the walk: why the order matters.
#pragma once

#include "core/inspect/trace.h"
#include "examples/shared/terminal/styled.h"

namespace gradus::examples {

// Its arrivals, one a line: from → to, and the gradient that `to` then has.
Lines naive_lines(const inspect::Trace& trace, std::size_t width, bool ascii);

}  // namespace gradus::examples
