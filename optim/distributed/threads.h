// Ranks as threads of one process: nothing has to be installed, and a debugger sees them all.
#pragma once

#include "optim/distributed/link.h"

namespace gradus::distributed {

using Body = std::function<void(Link&)>;

// Calls body(link) on `ranks` threads, each of which is a rank and computes on that thread alone. A body that throws stops the
// others, who get an IoError where they wait for it; then its exception is rethrown. ValueError unless ranks > 0.
void run_threads(int ranks, const Body& body);

}  // namespace gradus::distributed
