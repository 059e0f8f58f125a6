// A slope by finite differences, and by the tape: how far each is off.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// d sin x/dx at 1, by forward and central differences of many widths, in f32 and f64: the U, and the tape beside it.
void finite_differences(Chapter& chapter);

}  // namespace gradus::examples
