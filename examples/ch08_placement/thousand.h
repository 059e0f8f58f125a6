// A thousand blocks of DeepNorm.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// Their signals at the start, beside those of pre- and post-norm, their losses on one batch, and what that says of the claim.
void thousand(Chapter& chapter);

}  // namespace gradus::examples
