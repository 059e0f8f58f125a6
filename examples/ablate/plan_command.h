// A plan on the command line: ablate [PRESET] [--option-of-train VALUE,VALUE…] [--seeds N] …
#pragma once

#include "examples/ablate/plan.h"

namespace gradus::examples {

// The preset's options come first, so that any that is given counts in its place. False when --help was asked for, and
// printed. ValueError for bad input, with the nearest name where there is one.
bool read_plan(int argc, const char* const* argv, Plan& plan);

}  // namespace gradus::examples
