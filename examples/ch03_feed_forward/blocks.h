// The block of 2017 beside the block of today, part by part, counted on the layers themselves.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

void old_against_modern(Chapter& chapter);

}  // namespace gradus::examples
