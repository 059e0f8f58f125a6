// What may be said of the matrix, and what another learning rate would have said.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

// Sentences about one change of the baseline, each by a rule.
void claims(Chapter& chapter, const Study& study, const Spread& baseline);

// The baseline and two other placements, at half the learning rate, at that of all cells and at twice that.
void rates(Chapter& chapter, const Study& study, const Spread& baseline);

}  // namespace gradus::examples
