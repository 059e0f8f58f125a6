// Carrying out a plan: timing, the sweep, the comparison; each run once, kept in the journal as soon as it is done.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "examples/ablate/outcome.h"
#include "examples/ablate/plan.h"
#include "examples/shared/experiment/journal.h"

namespace gradus::examples {

struct Measured {
  Variation variation;            // its cell as it was compared: at its own rate, with its own steps
  double ratio = 1;               // of a step's time to the baseline's; measured for equal time alone
  Tuned tuned;                    // nothing tried where there is no sweep
  std::vector<Outcome> outcomes;  // by seed; none where it was refused
  double untaught = HUGE_VAL;     // what counting bytes costs on the windows that it is measured on: see SweepOptions
  double pairs = HUGE_VAL;        // and what counting pairs of them costs: see has_trained()
};

// In the order of `variations`. What the journal knows is not measured again. On a terminal a bar tells how far it is, and
// how much time is left.
std::vector<Measured> carry_out(const Plan& plan, const std::vector<Variation>& variations, Journal& journal);

}  // namespace gradus::examples
