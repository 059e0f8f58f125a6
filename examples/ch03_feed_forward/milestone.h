// The milestone of chapter 03: a product, which a layer without a gate cannot learn.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Each learner's error inside and beyond what it was trained on, its answers along x₁ = x₂, and gates that are set by hand.
void milestone(Chapter& chapter);

}  // namespace gradus::examples
