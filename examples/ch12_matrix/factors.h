// What each factor does.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

// Each variant in place of the baseline's, over all combinations of the others; and as the only change, seed against seed.
void factors(Chapter& chapter, const Study& study, const Spread& baseline);
void one_change(Chapter& chapter, const Study& study);

}  // namespace gradus::examples
