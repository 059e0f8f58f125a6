// The model of the paper, call by call.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// In the paper's sizes: six blocks and six, 512 wide, eight heads. Only the letters are fewer than the paper's words.
// Its steps, with what each reads: the series `calls`, and calls.PATH of each.
void call_by_call(Chapter& chapter);

}  // namespace gradus::examples
