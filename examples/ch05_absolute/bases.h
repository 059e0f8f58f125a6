// The knob of chapter 05: the base of the wavelengths.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// For four bases and the reader's own: how dot products fall with distance, the longest wave, and how near two rows get.
void bases(Chapter& chapter, double base);

}  // namespace gradus::examples
