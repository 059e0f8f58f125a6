// The knob of chapter 12: more seeds.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

// How many cells differ significantly from the baseline with one seed, with two, …: in the matrix, among single changes, and
// where there is nothing to find.
void more_seeds(Chapter& chapter, const Study& study, const Spread& baseline);

}  // namespace gradus::examples
