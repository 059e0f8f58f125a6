// The knob of chapter 04: a norm of a·x, and where ε and f16 take over.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// The size of RMSNorm(a·x) for many a and three ε, and where squares kept in f16 overflow; `a` is the reader's own.
void scale_of_input(Chapter& chapter, double a);

}  // namespace gradus::examples
