// The cache of keys and values: the same scores, one id at a time.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// A model reads 64 ids one by one with its cache, and all at once: how far apart the scores are, and the multiplications.
void cache_against_none(Chapter& chapter);

}  // namespace gradus::examples
