// Rank collapse: how the first steps make all rows of a deep stack's result one row.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// ‖mean row‖² / mean ‖row‖² of x, [..., n]: 1 if all rows are the same, 1 / (their number) if they are at right angles.
double alike(const Tensor& x);

// Trains stacks of 12 blocks at two rates, and adds how alike their rows get, and what gradient the lowest block has then.
void rank_collapse(Chapter& chapter);

}  // namespace gradus::examples
