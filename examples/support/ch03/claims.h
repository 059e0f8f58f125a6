// What is claimed of feed-forward layers, judged by the measurements.
#pragma once

#include "examples/support/ch03/ablation.h"

namespace gradus::examples {

void swiglu_beats_others(Chapter& chapter, const std::vector<Contestant>& all);
void multiples_run_faster(Chapter& chapter);

}  // namespace gradus::examples
