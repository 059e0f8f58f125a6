// Which numbers each norm averages together.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// What norm_extent() finds for each norm of an image [4, 6, 3, 5]: the sides of the block, and how many numbers it holds.
void extents_of_norms(Chapter& chapter);

}  // namespace gradus::examples
